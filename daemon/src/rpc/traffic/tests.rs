use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::*;

fn pair() -> (Counted<UnixStream, ()>, UnixStream, Arc<Traffic>) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    let traffic = Arc::new(Traffic::default());
    (Counted::new(ours, traffic.clone(), ()), theirs, traffic)
}

#[tokio::test]
async fn what_was_announced_and_not_yet_written_waits() {
    let (mut ours, _theirs, traffic) = pair();
    ours.write_all(&[0; 50]).await.unwrap();
    assert_eq!(traffic.waiting(), 0);
    traffic.produce(100);
    assert_eq!(traffic.waiting(), 102);
    ours.write_all(&[0; 60]).await.unwrap();
    assert_eq!(traffic.waiting(), 42);
    ours.write_all(&[0; 42]).await.unwrap();
    assert_eq!(traffic.waiting(), 0);
    traffic.produce(126);
    traffic.produce(65_536);
    assert_eq!(traffic.waiting(), 126 + 4 + 65_536 + 10);
}

#[tokio::test]
async fn room_comes_with_writing() {
    let (mut ours, _theirs, traffic) = pair();
    traffic.produce(98);
    let waiter = tokio::spawn({
        let traffic = traffic.clone();
        async move { traffic.room(50).await }
    });
    tokio::task::yield_now().await;
    assert!(!waiter.is_finished());
    ours.write_all(&[0; 60]).await.unwrap();
    waiter.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_silent_websocket_is_gone_although_pings_can_be_written() {
    let (mut ours, _theirs, traffic) = pair();
    traffic.upgraded();
    let start = Instant::now();
    let mut buf = [0; 8];
    let error = loop {
        tokio::select! {
            result = ours.read(&mut buf) => break result.unwrap_err(),
            () = sleep(Duration::from_secs(30)) => {}
        }
        ours.write_all(&[0x89, 0]).await.unwrap();
    };
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    assert_eq!(start.elapsed().as_secs(), 75);
    assert!(ours.write_all(&[0]).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn what_comes_keeps_a_connection() {
    let (mut ours, mut theirs, traffic) = pair();
    traffic.upgraded();
    let start = Instant::now();
    let mut buf = [0; 1];
    for _ in 0..3 {
        let read = async {
            sleep(Duration::from_secs(60)).await;
            theirs.write_all(&[1]).await.unwrap();
        };
        let (result, ()) = tokio::join!(ours.read_exact(&mut buf), read);
        result.unwrap();
    }
    assert!(start.elapsed() >= Duration::from_secs(180));
}

#[tokio::test(start_paused = true)]
async fn a_single_call_that_takes_long_is_not_gone() {
    let (mut ours, _theirs, traffic) = pair();
    let call = traffic.single_call();
    let mut buf = [0; 1];
    let read = tokio::time::timeout(Duration::from_secs(240), ours.read(&mut buf)).await;
    assert!(read.is_err(), "{read:?}");
    drop(call);
    assert!(ours.read(&mut buf).await.is_err());
}

#[tokio::test]
async fn while_the_other_end_does_not_read_only_little_is_read_from_it() {
    let (mut ours, mut theirs, _) = pair();
    let chunk = vec![0; 64 * 1024];
    // Fill the socket until a write has to wait.
    while let Ok(result) = tokio::time::timeout(Duration::from_millis(50), ours.write(&chunk)).await {
        result.unwrap();
    }
    let mut read = 0;
    let mut buf = vec![0; 64 * 1024];
    loop {
        let sent = tokio::time::timeout(Duration::from_millis(50), theirs.write_all(&chunk)).await;
        match tokio::time::timeout(Duration::from_millis(50), ours.read(&mut buf)).await {
            Ok(bytes) => read += bytes.unwrap(),
            Err(_) => break,
        }
        if sent.is_err() {
            break;
        }
    }
    assert!((READ_WHILE_BLOCKED..READ_WHILE_BLOCKED + 2 * buf.len()).contains(&read), "{read}");
    // Once the other end reads, so do we.
    let (mut from_us, _to_us) = theirs.into_split();
    let drain = tokio::spawn(async move { tokio::io::copy(&mut from_us, &mut tokio::io::sink()).await });
    ours.write_all(&[0]).await.unwrap();
    assert!(ours.read(&mut buf).await.unwrap() > 0);
    drain.abort();
}
