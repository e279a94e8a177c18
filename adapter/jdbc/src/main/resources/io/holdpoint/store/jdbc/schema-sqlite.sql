-- The tables of Holdpoint's JdbcStore on SQLite, version 1. Running it again does no harm.
-- Times are microseconds since 1970-01-01T00:00Z: datetime(at / 1000000, 'unixepoch').
-- Texts are ASCII: what is not is escaped (\uXXXX), and an id of more than 200 characters is replaced by its hash.
-- agent is the name of the agent that a row belongs to, empty for the one without a name.

-- who may write to a thread, and whether that run is to stop; no row: nobody at present. thread_id begins with \u0003 for a notifier at work
-- said: the message that the run is writing, as far as it was flushed, if the agent has a flush interval
CREATE TABLE IF NOT EXISTS holdpoint_lease (
    agent TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    epoch INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL,
    caller TEXT NOT NULL,
    ends_at INTEGER NOT NULL,
    cancel_requested INTEGER DEFAULT FALSE NOT NULL,
    said TEXT,
    UNIQUE (agent, thread_id)
);

-- id_text is the thread's id, also where thread_id is a hash; batch_id is the unfinished batch; changed_at: of the last commit, unless that is purged
CREATE TABLE IF NOT EXISTS holdpoint_thread (
    agent TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    id_text TEXT NOT NULL,
    owner TEXT NOT NULL,
    state TEXT,
    turn TEXT,
    batch_id TEXT,
    changed_at INTEGER,
    purged INTEGER DEFAULT FALSE NOT NULL,
    PRIMARY KEY (agent, thread_id)
);

CREATE INDEX IF NOT EXISTS holdpoint_thread_changed ON holdpoint_thread (agent, changed_at, thread_id);

-- asked_at is there as long as questions are open, due_at as long as time has something to do about one; owner is that of the thread; body is
-- what never changes; message_id: of the message in the transcript that has the arguments of its calls, which then stand nowhere else
CREATE TABLE IF NOT EXISTS holdpoint_batch (
    agent TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    batch_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    state TEXT NOT NULL,
    finished INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    given_up INTEGER NOT NULL,
    body TEXT NOT NULL,
    message_id TEXT,
    asked_at INTEGER,
    due_at INTEGER,
    owner TEXT NOT NULL,
    PRIMARY KEY (agent, thread_id, batch_id)
);

CREATE INDEX IF NOT EXISTS holdpoint_batch_changed ON holdpoint_batch (agent, finished, changed_at, thread_id);

CREATE INDEX IF NOT EXISTS holdpoint_batch_asked ON holdpoint_batch (agent, asked_at, thread_id);

CREATE INDEX IF NOT EXISTS holdpoint_batch_owner ON holdpoint_batch (agent, owner, asked_at, thread_id);

CREATE INDEX IF NOT EXISTS holdpoint_batch_due ON holdpoint_batch (agent, due_at, thread_id) WHERE due_at IS NOT NULL;

-- the calls of a batch, in model order: what changes of them
CREATE TABLE IF NOT EXISTS holdpoint_call (
    agent TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    batch_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (agent, thread_id, batch_id, position)
);

-- what is known on a thread, by its kind: the ids of interrupts and tool calls (INTERRUPT, TOOL_CALL), with the batch, which stay when that is
-- purged; decisions that people had remembered, with the calls that they have let run (GRANT), until they are revoked or a while after ends_at.
-- thread_id begins with \u0002 for the decisions that count on all threads of an owner, and with \u0001 for the tokens that models have used for
-- a caller on a day (TOKENS), if the agent limits them; with \u0003 for the notifiers: how far each has come in the audit events (READER), and
-- behind that its name, with the events that it has passed and tries again, or does not any more (RETRY, UNDELIVERED). It is empty for the
-- version of these tables (SCHEMA)
CREATE TABLE IF NOT EXISTS holdpoint_fact (
    agent TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    ends_at INTEGER,
    value TEXT NOT NULL,
    PRIMARY KEY (agent, thread_id, kind, name)
);

CREATE INDEX IF NOT EXISTS holdpoint_fact_ends ON holdpoint_fact (agent, ends_at) WHERE ends_at IS NOT NULL;

-- the transcript, in the order of its positions
-- run_id is the run that appended the message, cut_by the one that cut it off; cut_by is NULL: the transcript has it
CREATE TABLE IF NOT EXISTS holdpoint_message (
    agent TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    body TEXT NOT NULL,
    run_id TEXT,
    cut_by TEXT,
    UNIQUE (agent, thread_id, message_id)
);

CREATE INDEX IF NOT EXISTS holdpoint_message_position ON holdpoint_message (agent, thread_id, position);

-- append-only, unless a retention says how long it is kept
CREATE TABLE IF NOT EXISTS holdpoint_audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    caller TEXT NOT NULL,
    kind TEXT NOT NULL,
    tool_call_id TEXT,
    tool_name TEXT,
    interrupt_id TEXT,
    detail TEXT NOT NULL
);

CREATE INDEX IF NOT EXISTS holdpoint_audit_thread ON holdpoint_audit (agent, thread_id, id);

CREATE INDEX IF NOT EXISTS holdpoint_audit_agent ON holdpoint_audit (agent, id);

-- LangChain4j's chat memories: a row for each message, so that one is added without writing the others again; the body at position 0 is
-- another number after each write
CREATE TABLE IF NOT EXISTS holdpoint_chat_message (
    memory_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (memory_id, position)
);

-- the agents that are halted: by name, the one without a name as an empty text, '*' for all
CREATE TABLE IF NOT EXISTS holdpoint_halt (
    agent VARCHAR(255) PRIMARY KEY NOT NULL,
    since BIGINT DEFAULT (CAST(strftime('%s', 'now') AS INTEGER) * 1000000) NOT NULL,
    caller TEXT DEFAULT 'SQL' NOT NULL,
    reason TEXT DEFAULT '' NOT NULL
);
