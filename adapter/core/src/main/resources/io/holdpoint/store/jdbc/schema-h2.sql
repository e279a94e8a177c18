-- The tables of Holdpoint's JdbcStore on H2, version 1. Running it again does no harm.
-- VARCHAR_CASESENSITIVE: ids that differ in case are different, also with the setting IGNORECASE.
-- Texts are ASCII: what is not is escaped (\uXXXX), and an id of more than 200 characters is replaced by its hash.

CREATE TABLE IF NOT EXISTS holdpoint_schema (
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL
);

CREATE SEQUENCE IF NOT EXISTS holdpoint_epoch;

-- who may write to a thread, and whether that run is to stop; no row: nobody at present
CREATE TABLE IF NOT EXISTS holdpoint_lease (
    thread_id VARCHAR_CASESENSITIVE(255) PRIMARY KEY,
    epoch BIGINT NOT NULL,
    run_id VARCHAR_CASESENSITIVE NOT NULL,
    caller VARCHAR_CASESENSITIVE NOT NULL,
    ends_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    cancel_requested BOOLEAN DEFAULT FALSE NOT NULL
);

-- id_text is the thread's id, also where thread_id is a hash; batch_id is the unfinished batch
CREATE TABLE IF NOT EXISTS holdpoint_thread (
    thread_id VARCHAR_CASESENSITIVE(255) PRIMARY KEY,
    id_text CHARACTER LARGE OBJECT NOT NULL,
    owner VARCHAR_CASESENSITIVE NOT NULL,
    state CHARACTER LARGE OBJECT,
    turn CHARACTER LARGE OBJECT,
    batch_id VARCHAR_CASESENSITIVE(255)
);

-- asked_at is there as long as questions are open; owner is that of the thread
CREATE TABLE IF NOT EXISTS holdpoint_batch (
    thread_id VARCHAR_CASESENSITIVE(255) NOT NULL,
    batch_id VARCHAR_CASESENSITIVE(255) NOT NULL,
    version BIGINT NOT NULL,
    state VARCHAR_CASESENSITIVE(20) NOT NULL,
    finished BOOLEAN NOT NULL,
    changed_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    body CHARACTER LARGE OBJECT NOT NULL,
    asked_at TIMESTAMP(6) WITH TIME ZONE,
    owner VARCHAR_CASESENSITIVE NOT NULL,
    PRIMARY KEY (thread_id, batch_id)
);

CREATE INDEX IF NOT EXISTS holdpoint_batch_changed ON holdpoint_batch (finished, changed_at, thread_id);

CREATE INDEX IF NOT EXISTS holdpoint_batch_asked ON holdpoint_batch (asked_at, thread_id);

CREATE INDEX IF NOT EXISTS holdpoint_batch_owner ON holdpoint_batch (owner, asked_at, thread_id);

-- stays when the batch is purged
CREATE TABLE IF NOT EXISTS holdpoint_interrupt (
    thread_id VARCHAR_CASESENSITIVE(255) NOT NULL,
    interrupt_id VARCHAR_CASESENSITIVE(255) NOT NULL,
    batch_id VARCHAR_CASESENSITIVE(255) NOT NULL,
    PRIMARY KEY (thread_id, interrupt_id)
);

-- stays when the batch is purged
CREATE TABLE IF NOT EXISTS holdpoint_tool_call (
    thread_id VARCHAR_CASESENSITIVE(255) NOT NULL,
    tool_call_id VARCHAR_CASESENSITIVE(255) NOT NULL,
    PRIMARY KEY (thread_id, tool_call_id)
);

-- decisions that people had remembered, until they revoke them or a while after they expired
CREATE TABLE IF NOT EXISTS holdpoint_grant (
    thread_id VARCHAR_CASESENSITIVE(255) NOT NULL,
    grant_id VARCHAR_CASESENSITIVE(255) NOT NULL,
    expires_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    body CHARACTER LARGE OBJECT NOT NULL,
    PRIMARY KEY (thread_id, grant_id)
);

CREATE INDEX IF NOT EXISTS holdpoint_grant_expires ON holdpoint_grant (expires_at, thread_id);

-- the transcript, in the order of its positions
CREATE TABLE IF NOT EXISTS holdpoint_message (
    thread_id VARCHAR_CASESENSITIVE(255) NOT NULL,
    message_id VARCHAR_CASESENSITIVE(255) NOT NULL,
    position BIGINT GENERATED ALWAYS AS IDENTITY,
    body CHARACTER LARGE OBJECT NOT NULL,
    PRIMARY KEY (thread_id, message_id)
);

CREATE INDEX IF NOT EXISTS holdpoint_message_position ON holdpoint_message (thread_id, position);

-- append-only
CREATE TABLE IF NOT EXISTS holdpoint_audit (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    thread_id VARCHAR_CASESENSITIVE(255) NOT NULL,
    run_id VARCHAR_CASESENSITIVE NOT NULL,
    caller VARCHAR_CASESENSITIVE NOT NULL,
    kind VARCHAR_CASESENSITIVE(40) NOT NULL,
    tool_call_id VARCHAR_CASESENSITIVE,
    tool_name VARCHAR_CASESENSITIVE,
    interrupt_id VARCHAR_CASESENSITIVE,
    detail CHARACTER LARGE OBJECT NOT NULL
);

CREATE INDEX IF NOT EXISTS holdpoint_audit_thread ON holdpoint_audit (thread_id, id);

-- what LangChain4j's chat memories hold
CREATE TABLE IF NOT EXISTS holdpoint_chat_memory (
    memory_id VARCHAR_CASESENSITIVE(255) PRIMARY KEY,
    messages CHARACTER LARGE OBJECT NOT NULL
);
