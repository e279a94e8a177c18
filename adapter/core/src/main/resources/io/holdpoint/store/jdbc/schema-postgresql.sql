-- The tables of Holdpoint's JdbcStore on PostgreSQL, version 1. Running it again does no harm.
-- Times are microseconds since 1970-01-01T00:00Z: to_timestamp(at / 1e6).
-- Texts are ASCII: what is not is escaped (\uXXXX), and an id of more than 200 characters is replaced by its hash.

CREATE TABLE IF NOT EXISTS holdpoint_schema (
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL
);

CREATE SEQUENCE IF NOT EXISTS holdpoint_epoch;

-- who may write to a thread, and whether that run is to stop; no row: nobody at present
CREATE TABLE IF NOT EXISTS holdpoint_lease (
    thread_id VARCHAR(255) PRIMARY KEY,
    epoch BIGINT NOT NULL,
    run_id TEXT NOT NULL,
    caller TEXT NOT NULL,
    ends_at BIGINT NOT NULL,
    cancel_requested BOOLEAN DEFAULT FALSE NOT NULL
);

-- id_text is the thread's id, also where thread_id is a hash; batch_id is the unfinished batch; changed_at: of the last commit, unless that is purged
CREATE TABLE IF NOT EXISTS holdpoint_thread (
    thread_id VARCHAR(255) PRIMARY KEY,
    id_text TEXT NOT NULL,
    owner TEXT NOT NULL,
    state TEXT,
    turn TEXT,
    batch_id VARCHAR(255),
    changed_at BIGINT,
    purged BOOLEAN DEFAULT FALSE NOT NULL
);

CREATE INDEX IF NOT EXISTS holdpoint_thread_changed ON holdpoint_thread (changed_at, thread_id);

-- asked_at is there as long as questions are open; owner is that of the thread; body is what never changes
CREATE TABLE IF NOT EXISTS holdpoint_batch (
    thread_id VARCHAR(255) NOT NULL,
    batch_id VARCHAR(255) NOT NULL,
    version BIGINT NOT NULL,
    state VARCHAR(20) NOT NULL,
    finished BOOLEAN NOT NULL,
    changed_at BIGINT NOT NULL,
    given_up BOOLEAN NOT NULL,
    body TEXT NOT NULL,
    asked_at BIGINT,
    owner TEXT NOT NULL,
    PRIMARY KEY (thread_id, batch_id)
);

CREATE INDEX IF NOT EXISTS holdpoint_batch_changed ON holdpoint_batch (finished, changed_at, thread_id);

CREATE INDEX IF NOT EXISTS holdpoint_batch_asked ON holdpoint_batch (asked_at, thread_id);

CREATE INDEX IF NOT EXISTS holdpoint_batch_owner ON holdpoint_batch (owner, asked_at, thread_id);

-- the calls of a batch, in model order
CREATE TABLE IF NOT EXISTS holdpoint_call (
    thread_id VARCHAR(255) NOT NULL,
    batch_id VARCHAR(255) NOT NULL,
    position INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (thread_id, batch_id, position)
);

-- stays when the batch is purged, until the thread is
CREATE TABLE IF NOT EXISTS holdpoint_interrupt (
    thread_id VARCHAR(255) NOT NULL,
    interrupt_id VARCHAR(255) NOT NULL,
    batch_id VARCHAR(255) NOT NULL,
    PRIMARY KEY (thread_id, interrupt_id)
);

-- stays when the batch is purged, until the thread is
CREATE TABLE IF NOT EXISTS holdpoint_tool_call (
    thread_id VARCHAR(255) NOT NULL,
    tool_call_id VARCHAR(255) NOT NULL,
    PRIMARY KEY (thread_id, tool_call_id)
);

-- decisions that people had remembered, until they revoke them or a while after they expired
CREATE TABLE IF NOT EXISTS holdpoint_grant (
    thread_id VARCHAR(255) NOT NULL,
    grant_id VARCHAR(255) NOT NULL,
    expires_at BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (thread_id, grant_id)
);

CREATE INDEX IF NOT EXISTS holdpoint_grant_expires ON holdpoint_grant (expires_at, thread_id);

-- the transcript, in the order of its positions
CREATE TABLE IF NOT EXISTS holdpoint_message (
    thread_id VARCHAR(255) NOT NULL,
    message_id VARCHAR(255) NOT NULL,
    position BIGINT GENERATED ALWAYS AS IDENTITY,
    body TEXT NOT NULL,
    PRIMARY KEY (thread_id, message_id)
);

CREATE INDEX IF NOT EXISTS holdpoint_message_position ON holdpoint_message (thread_id, position);

-- append-only, unless a retention says how long it is kept
CREATE TABLE IF NOT EXISTS holdpoint_audit (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at BIGINT NOT NULL,
    thread_id VARCHAR(255) NOT NULL,
    run_id TEXT NOT NULL,
    caller TEXT NOT NULL,
    kind VARCHAR(40) NOT NULL,
    tool_call_id TEXT,
    tool_name TEXT,
    interrupt_id TEXT,
    detail TEXT NOT NULL
);

CREATE INDEX IF NOT EXISTS holdpoint_audit_thread ON holdpoint_audit (thread_id, id);

-- what LangChain4j's chat memories hold
CREATE TABLE IF NOT EXISTS holdpoint_chat_memory (
    memory_id VARCHAR(255) PRIMARY KEY,
    messages TEXT NOT NULL
);
