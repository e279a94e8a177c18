-- The tables of Holdpoint's JdbcStore on SQLite, version 1. Running it again does no harm.
-- Times are microseconds since 1970-01-01T00:00Z: datetime(at / 1000000, 'unixepoch').
-- Texts are ASCII: what is not is escaped (\uXXXX), and an id of more than 200 characters is replaced by its hash.

CREATE TABLE IF NOT EXISTS holdpoint_schema (
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL
);

-- who may write to a thread, and whether that run is to stop; no row: nobody at present
CREATE TABLE IF NOT EXISTS holdpoint_lease (
    thread_id TEXT NOT NULL UNIQUE,
    epoch INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL,
    caller TEXT NOT NULL,
    ends_at INTEGER NOT NULL,
    cancel_requested INTEGER DEFAULT FALSE NOT NULL
);

-- id_text is the thread's id, also where thread_id is a hash; batch_id is the unfinished batch; changed_at: of the last commit, unless that is purged
CREATE TABLE IF NOT EXISTS holdpoint_thread (
    thread_id TEXT PRIMARY KEY,
    id_text TEXT NOT NULL,
    owner TEXT NOT NULL,
    state TEXT,
    turn TEXT,
    batch_id TEXT,
    changed_at INTEGER,
    purged INTEGER DEFAULT FALSE NOT NULL
);

CREATE INDEX IF NOT EXISTS holdpoint_thread_changed ON holdpoint_thread (changed_at, thread_id);

-- asked_at is there as long as questions are open; owner is that of the thread; body is what never changes
CREATE TABLE IF NOT EXISTS holdpoint_batch (
    thread_id TEXT NOT NULL,
    batch_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    state TEXT NOT NULL,
    finished INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    given_up INTEGER NOT NULL,
    body TEXT NOT NULL,
    asked_at INTEGER,
    owner TEXT NOT NULL,
    PRIMARY KEY (thread_id, batch_id)
);

CREATE INDEX IF NOT EXISTS holdpoint_batch_changed ON holdpoint_batch (finished, changed_at, thread_id);

CREATE INDEX IF NOT EXISTS holdpoint_batch_asked ON holdpoint_batch (asked_at, thread_id);

CREATE INDEX IF NOT EXISTS holdpoint_batch_owner ON holdpoint_batch (owner, asked_at, thread_id);

-- the calls of a batch, in model order
CREATE TABLE IF NOT EXISTS holdpoint_call (
    thread_id TEXT NOT NULL,
    batch_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (thread_id, batch_id, position)
);

-- stays when the batch is purged, until the thread is
CREATE TABLE IF NOT EXISTS holdpoint_interrupt (
    thread_id TEXT NOT NULL,
    interrupt_id TEXT NOT NULL,
    batch_id TEXT NOT NULL,
    PRIMARY KEY (thread_id, interrupt_id)
);

-- stays when the batch is purged, until the thread is
CREATE TABLE IF NOT EXISTS holdpoint_tool_call (
    thread_id TEXT NOT NULL,
    tool_call_id TEXT NOT NULL,
    PRIMARY KEY (thread_id, tool_call_id)
);

-- decisions that people had remembered, until they revoke them or a while after they expired
CREATE TABLE IF NOT EXISTS holdpoint_grant (
    thread_id TEXT NOT NULL,
    grant_id TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (thread_id, grant_id)
);

CREATE INDEX IF NOT EXISTS holdpoint_grant_expires ON holdpoint_grant (expires_at, thread_id);

-- the transcript, in the order of its positions
CREATE TABLE IF NOT EXISTS holdpoint_message (
    thread_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    body TEXT NOT NULL,
    UNIQUE (thread_id, message_id)
);

CREATE INDEX IF NOT EXISTS holdpoint_message_position ON holdpoint_message (thread_id, position);

-- append-only, unless a retention says how long it is kept
CREATE TABLE IF NOT EXISTS holdpoint_audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    thread_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    caller TEXT NOT NULL,
    kind TEXT NOT NULL,
    tool_call_id TEXT,
    tool_name TEXT,
    interrupt_id TEXT,
    detail TEXT NOT NULL
);

CREATE INDEX IF NOT EXISTS holdpoint_audit_thread ON holdpoint_audit (thread_id, id);

-- what LangChain4j's chat memories hold
CREATE TABLE IF NOT EXISTS holdpoint_chat_memory (
    memory_id TEXT PRIMARY KEY,
    messages TEXT NOT NULL
);
