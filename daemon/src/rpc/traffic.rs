//! How much waits to be read by one connection, and when its other end counts as gone.
//!
//! jsonrpsee queues messages, not bytes, and cannot be asked how many are queued. What was handed to it
//! and what went into the socket can both be counted; the difference is what waits.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::UnixStream;
use tokio::sync::Notify;
use tokio::time::{Instant, Sleep, sleep};

/// A connection from which nothing came for this long is gone; pings go out every 30 s (protocol §1).
pub(super) const GONE_AFTER: Duration = Duration::from_secs(75);

/// While the other end does not read, this much is still read from it. More would only become
/// answers that wait as well.
const READ_WHILE_BLOCKED: usize = 256 * 1024;

/// What waits for one connection.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    produced: AtomicU64,
    written: AtomicU64,
    /// Whether pings tell if the other end is there.
    websocket: AtomicBool,
    /// Single calls being answered; the connection is quiet meanwhile, but not gone.
    single_calls: AtomicU32,
    room: Notify,
}

impl Traffic {
    /// Counts a message handed over to be sent as one text frame.
    pub(super) fn produce(&self, payload: usize) {
        // Frames to a client carry no mask: RFC 6455 §5.2.
        let header = match payload {
            0..=125 => 2,
            126..=65_535 => 4,
            _ => 10,
        };
        self.produced.fetch_add(payload as u64 + header, Relaxed);
    }

    /// Bytes that wait.
    pub(super) fn waiting(&self) -> u64 {
        self.produced.load(Relaxed).saturating_sub(self.written.load(Relaxed))
    }

    /// Returns when fewer than `limit` bytes wait.
    pub(super) async fn room(&self, limit: u64) {
        while self.waiting() >= limit {
            let room = self.room.notified();
            if self.waiting() < limit {
                return;
            }
            room.await;
        }
    }

    /// The connection speaks WebSocket from here on.
    pub(super) fn upgraded(&self) {
        self.websocket.store(true, Relaxed);
    }

    /// A single call begins; it ends when the guard is dropped.
    pub(super) fn single_call(self: &Arc<Self>) -> SingleCall {
        self.single_calls.fetch_add(1, Relaxed);
        SingleCall(self.clone())
    }

    fn wrote(&self, bytes: usize) {
        let written = self.written.fetch_add(bytes as u64, Relaxed) + bytes as u64;
        // Handshakes, pings and refusals are written without being announced; once everything
        // announced is out they must not count for what comes.
        self.produced.fetch_max(written, Relaxed);
        self.room.notify_waiters();
    }
}

/// A single call that is being answered.
#[derive(Debug)]
pub(super) struct SingleCall(Arc<Traffic>);

impl Drop for SingleCall {
    fn drop(&mut self) {
        self.0.single_calls.fetch_sub(1, Relaxed);
    }
}

/// A stream that can be shut down through a shared reference.
pub(super) trait Severable {
    /// Ends both directions; pending reads and writes return.
    fn sever(&self);
}

impl Severable for UnixStream {
    fn sever(&self) {
        // It fails only when the stream has ended by itself.
        let _ = rustix::net::shutdown(self, rustix::net::Shutdown::Both);
    }
}

/// A stream whose traffic is counted, that ends when nothing comes any more, and that keeps `guard`
/// until it is dropped, which is when the connection has really ended.
pub(super) struct Counted<S, G> {
    io: S,
    traffic: Arc<Traffic>,
    activity: Instant,
    check: Pin<Box<Sleep>>,
    blocked: Option<usize>,
    reader: Option<Waker>,
    _guard: G,
}

impl<S: Severable, G> Counted<S, G> {
    pub(super) fn new(io: S, traffic: Arc<Traffic>, guard: G) -> Self {
        Self {
            io,
            traffic,
            activity: Instant::now(),
            check: Box::pin(sleep(GONE_AFTER)),
            blocked: None,
            reader: None,
            _guard: guard,
        }
    }

    /// Pending until nothing has come for too long.
    fn poll_gone(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            ready!(self.check.as_mut().poll(cx));
            let now = Instant::now();
            if self.traffic.single_calls.load(Relaxed) > 0 {
                self.activity = now;
            }
            let end = self.activity + GONE_AFTER;
            if now >= end {
                // A write that waits for the other end to read would otherwise wait for ever.
                self.io.sever();
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            self.check.as_mut().reset(end);
        }
    }

    fn wrote(&mut self, result: &Poll<io::Result<usize>>) {
        match result {
            Poll::Ready(Ok(bytes)) => {
                self.traffic.wrote(*bytes);
                // A ping goes into the socket of a process that is gone as well, so writing proves
                // nothing on a WebSocket, unless it had been waiting for the other end to read.
                if self.blocked.is_some() || !self.traffic.websocket.load(Relaxed) {
                    self.activity = Instant::now();
                }
                self.unblock();
            }
            Poll::Ready(Err(_)) => self.unblock(),
            Poll::Pending => {
                self.blocked.get_or_insert(0);
            }
        }
    }

    fn unblock(&mut self) {
        self.blocked = None;
        if let Some(reader) = self.reader.take() {
            reader.wake();
        }
    }
}

impl<S: AsyncRead + Severable + Unpin, G: Unpin> AsyncRead for Counted<S, G> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.blocked.is_some_and(|read| read >= READ_WHILE_BLOCKED) {
            this.reader = Some(cx.waker().clone());
            return this.poll_gone(cx);
        }
        let before = buf.filled().len();
        match Pin::new(&mut this.io).poll_read(cx, buf) {
            Poll::Ready(result) => {
                this.activity = Instant::now();
                if let Some(read) = &mut this.blocked {
                    *read += buf.filled().len() - before;
                }
                Poll::Ready(result)
            }
            Poll::Pending => this.poll_gone(cx),
        }
    }
}

impl<S: AsyncWrite + Severable + Unpin, G: Unpin> AsyncWrite for Counted<S, G> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.io).poll_write(cx, buf);
        this.wrote(&result);
        result
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.io).poll_write_vectored(cx, bufs);
        this.wrote(&result);
        result
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests;
