-- Version 6 on SQLite: an agent finds its own among the rows of many, people are told of what the audit trail says, an agent can be halted, and what models use is counted.

-- The agent's name stands in the thread's id before the character U+001F; of an id that is replaced by its hash it is not known here.
-- They replace the indexes by time alone, which an earlier version uses: on a table with many rows it reads more of them.

DROP INDEX IF EXISTS holdpoint_thread_changed;

CREATE INDEX holdpoint_thread_agent_changed ON holdpoint_thread ((CASE WHEN SUBSTR(thread_id, 1, 2) = '\#' THEN '\#' ELSE
    SUBSTR(thread_id, 1, INSTR(REPLACE(thread_id, '\\', '//'), '\u001f')) END), changed_at, thread_id);

DROP INDEX IF EXISTS holdpoint_batch_changed;

CREATE INDEX holdpoint_batch_agent_changed ON holdpoint_batch ((CASE WHEN SUBSTR(thread_id, 1, 2) = '\#' THEN '\#' ELSE
    SUBSTR(thread_id, 1, INSTR(REPLACE(thread_id, '\\', '//'), '\u001f')) END), finished, changed_at, thread_id);

DROP INDEX IF EXISTS holdpoint_batch_asked;

CREATE INDEX holdpoint_batch_agent_asked ON holdpoint_batch ((CASE WHEN SUBSTR(thread_id, 1, 2) = '\#' THEN '\#' ELSE
    SUBSTR(thread_id, 1, INSTR(REPLACE(thread_id, '\\', '//'), '\u001f')) END), asked_at, thread_id);

DROP INDEX IF EXISTS holdpoint_batch_owner;

CREATE INDEX holdpoint_batch_agent_owner ON holdpoint_batch ((CASE WHEN SUBSTR(thread_id, 1, 2) = '\#' THEN '\#' ELSE
    SUBSTR(thread_id, 1, INSTR(REPLACE(thread_id, '\\', '//'), '\u001f')) END), owner, asked_at, thread_id);

DROP INDEX IF EXISTS holdpoint_batch_due;

CREATE INDEX holdpoint_batch_agent_due ON holdpoint_batch ((CASE WHEN SUBSTR(thread_id, 1, 2) = '\#' THEN '\#' ELSE
    SUBSTR(thread_id, 1, INSTR(REPLACE(thread_id, '\\', '//'), '\u001f')) END), due_at, thread_id) WHERE due_at IS NOT NULL;

DROP INDEX IF EXISTS holdpoint_grant_expires;

CREATE INDEX holdpoint_grant_agent_expires ON holdpoint_grant ((CASE WHEN SUBSTR(thread_id, 1, 2) = '\#' THEN '\#' ELSE
    SUBSTR(thread_id, 1, INSTR(REPLACE(thread_id, '\\', '//'), '\u001f')) END), expires_at, thread_id);

-- how far each reader has come in the audit events of an agent, and who works on what follows until when
CREATE TABLE holdpoint_cursor (
    agent TEXT NOT NULL,
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    holder TEXT,
    held_until INTEGER NOT NULL,
    PRIMARY KEY (agent, name)
);

-- events that a reader has passed and reads again; next_at is NULL: not by itself any more
CREATE TABLE holdpoint_retry (
    agent TEXT NOT NULL,
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    next_at INTEGER,
    error TEXT NOT NULL,
    PRIMARY KEY (agent, name, position)
);

-- the agents that are halted: by name, the one without a name as an empty text, '*' for all
CREATE TABLE holdpoint_halt (
    agent VARCHAR(255) PRIMARY KEY NOT NULL,
    since BIGINT DEFAULT (CAST(strftime('%s', 'now') AS INTEGER) * 1000000) NOT NULL,
    caller TEXT DEFAULT 'SQL' NOT NULL,
    reason TEXT DEFAULT '' NOT NULL
);

-- the tokens that models have used for each caller on the last day on which they have used any, if the agent limits them
CREATE TABLE holdpoint_usage (
    agent TEXT NOT NULL,
    caller TEXT NOT NULL,
    day TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    PRIMARY KEY (agent, caller)
);

CREATE INDEX holdpoint_usage_day ON holdpoint_usage (agent, day);

-- the calls that a remembered decision with bounds has let run; amount is a decimal number as text; they go with the decision
CREATE TABLE holdpoint_grant_use (
    thread_id TEXT NOT NULL,
    grant_id TEXT NOT NULL,
    tool_call_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    amount TEXT NOT NULL,
    PRIMARY KEY (thread_id, grant_id, tool_call_id)
);

CREATE TRIGGER holdpoint_grant_uses AFTER DELETE ON holdpoint_grant FOR EACH ROW
BEGIN DELETE FROM holdpoint_grant_use WHERE thread_id = OLD.thread_id AND grant_id = OLD.grant_id; END;
