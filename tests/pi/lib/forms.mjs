// Payloads the tests ask, and the model turns that ask them.
export const call = (args, id = "call_ask_1", more = {}) => ({ toolCalls: [{ id, name: "ask_user", args }], ...more });
export const done = { text: "all done" };

export const single = {
  title: "DB choice",
  questions: [
    {
      id: "db",
      label: "DB",
      prompt: "Which database should we use?",
      type: "single",
      required: true,
      options: [
        { value: "postgres", label: "PostgreSQL", description: "Mature, relational", recommended: true },
        { value: "sqlite", label: "SQLite", description: "Zero-config file" },
        { value: "mysql", label: "MySQL" },
      ],
    },
  ],
};

export const features = {
  id: "feats",
  label: "Features",
  prompt: "Which features should be in v1?",
  type: "multi",
  options: [
    { value: "auth", label: "Auth", recommended: true },
    { value: "search", label: "Search", description: "full text" },
    { value: "export", label: "Export" },
  ],
};

export const layout = {
  id: "layout",
  label: "Layout",
  prompt: "Which layout?",
  type: "preview",
  options: [
    { value: "side", label: "Sidebar", preview: "+--+------+\n|  |      |\n+--+------+" },
    { value: "top", label: "Top bar", description: "classic", preview: "# Top bar\n+---------+\n+---------+" },
  ],
};

export const three = { title: "Project setup", questions: [single.questions[0], features, layout] };

export const tall = {
  title: "Tall",
  questions: [{ id: "n", label: "Number", prompt: "Pick the right number.", options: Array.from({ length: 40 }, (_, i) => ({ value: `v${i + 1}`, label: `Number ${i + 1}`, description: `the ${i + 1}th` })) }],
};

export const one = (label = "Colour") => ({
  questions: [{ id: "c", label, prompt: `${label}, please?`, options: [{ value: "red", label: "Red" }, { value: "blue", label: "Blue" }] }],
});

/** The questionnaire contract's shape. */
export const packages = {
  mode: "background",
  questions: [{ id: "scope", label: "Scope", question: "Which packages should change?", multiple: true, min: 1, options: [{ label: "Core", value: "core" }, { label: "CLI", value: "cli" }] }],
};
