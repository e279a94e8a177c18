-- Version 6 on PostgreSQL: an agent finds its own among the rows of many, people are told of what the audit trail says, an agent can be halted, and what models use is counted.

-- The agent's name stands in the thread's id before the character U+001F; of an id that is replaced by its hash it is not known here.
-- They replace the indexes by time alone, which an earlier version uses: on a table with many rows it reads more of them. Where the
-- tables are large, build them before the upgrade (docs/operate/upgrading.md).

CREATE INDEX IF NOT EXISTS holdpoint_thread_agent_changed ON holdpoint_thread ((CASE WHEN SUBSTR(thread_id, 1, 2) = '\#' THEN '\#' ELSE
    SUBSTR(thread_id, 1, STRPOS(REPLACE(thread_id, '\\', '//'), '\u001f')) END), changed_at, thread_id);

CREATE INDEX IF NOT EXISTS holdpoint_batch_agent_changed ON holdpoint_batch ((CASE WHEN SUBSTR(thread_id, 1, 2) = '\#' THEN '\#' ELSE
    SUBSTR(thread_id, 1, STRPOS(REPLACE(thread_id, '\\', '//'), '\u001f')) END), finished, changed_at, thread_id);

CREATE INDEX IF NOT EXISTS holdpoint_batch_agent_asked ON holdpoint_batch ((CASE WHEN SUBSTR(thread_id, 1, 2) = '\#' THEN '\#' ELSE
    SUBSTR(thread_id, 1, STRPOS(REPLACE(thread_id, '\\', '//'), '\u001f')) END), asked_at, thread_id);

CREATE INDEX IF NOT EXISTS holdpoint_batch_agent_owner ON holdpoint_batch ((CASE WHEN SUBSTR(thread_id, 1, 2) = '\#' THEN '\#' ELSE
    SUBSTR(thread_id, 1, STRPOS(REPLACE(thread_id, '\\', '//'), '\u001f')) END), owner, asked_at, thread_id);

CREATE INDEX IF NOT EXISTS holdpoint_batch_agent_due ON holdpoint_batch ((CASE WHEN SUBSTR(thread_id, 1, 2) = '\#' THEN '\#' ELSE
    SUBSTR(thread_id, 1, STRPOS(REPLACE(thread_id, '\\', '//'), '\u001f')) END), due_at, thread_id) WHERE due_at IS NOT NULL;

CREATE INDEX IF NOT EXISTS holdpoint_grant_agent_expires ON holdpoint_grant ((CASE WHEN SUBSTR(thread_id, 1, 2) = '\#' THEN '\#' ELSE
    SUBSTR(thread_id, 1, STRPOS(REPLACE(thread_id, '\\', '//'), '\u001f')) END), expires_at, thread_id);

-- how far each reader has come in the audit events of an agent, and who works on what follows until when
CREATE TABLE holdpoint_cursor (
    agent VARCHAR(255) NOT NULL,
    name VARCHAR(255) NOT NULL,
    position BIGINT NOT NULL,
    holder TEXT,
    held_until BIGINT NOT NULL,
    PRIMARY KEY (agent, name)
);

-- events that a reader has passed and reads again; next_at is NULL: not by itself any more
CREATE TABLE holdpoint_retry (
    agent VARCHAR(255) NOT NULL,
    name VARCHAR(255) NOT NULL,
    position BIGINT NOT NULL,
    attempts INTEGER NOT NULL,
    next_at BIGINT,
    error TEXT NOT NULL,
    PRIMARY KEY (agent, name, position)
);

-- the agents that are halted: by name, the one without a name as an empty text, '*' for all
CREATE TABLE holdpoint_halt (
    agent VARCHAR(255) PRIMARY KEY,
    since BIGINT DEFAULT (EXTRACT(EPOCH FROM CLOCK_TIMESTAMP()) * 1000000)::BIGINT NOT NULL,
    caller TEXT DEFAULT SESSION_USER NOT NULL,
    reason TEXT DEFAULT '' NOT NULL
);

-- a halt waits for the commits that are under way, and those that come wait for it: each is before it or sees it. Where that takes
-- longer than 3 seconds it gives up, and the database ends its transaction if nothing comes for 5 seconds
CREATE FUNCTION holdpoint_halt_waits() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '3s' AS
$$ BEGIN PERFORM set_config('idle_in_transaction_session_timeout', '5000', TRUE); EXECUTE
    format('LOCK TABLE %I.holdpoint_lease IN EXCLUSIVE MODE', TG_TABLE_SCHEMA); RETURN NULL; END $$;

CREATE TRIGGER holdpoint_halt_waits BEFORE INSERT OR UPDATE ON holdpoint_halt
FOR EACH STATEMENT EXECUTE FUNCTION holdpoint_halt_waits();

-- the tokens that models have used for each caller on the last day on which they have used any, if the agent limits them
CREATE TABLE holdpoint_usage (
    agent VARCHAR(255) NOT NULL,
    caller TEXT NOT NULL,
    day TEXT NOT NULL,
    tokens BIGINT NOT NULL,
    PRIMARY KEY (agent, caller)
);

CREATE INDEX holdpoint_usage_day ON holdpoint_usage (agent, day);

-- the calls that a remembered decision with bounds has let run; they go with it
CREATE TABLE holdpoint_grant_use (
    thread_id VARCHAR(255) NOT NULL,
    grant_id VARCHAR(255) NOT NULL,
    tool_call_id VARCHAR(255) NOT NULL,
    at BIGINT NOT NULL,
    amount NUMERIC NOT NULL,
    PRIMARY KEY (thread_id, grant_id, tool_call_id),
    FOREIGN KEY (thread_id, grant_id) REFERENCES holdpoint_grant ON DELETE CASCADE
);

-- last, since it waits for everybody
DROP INDEX IF EXISTS holdpoint_thread_changed;

DROP INDEX IF EXISTS holdpoint_batch_changed;

DROP INDEX IF EXISTS holdpoint_batch_asked;

DROP INDEX IF EXISTS holdpoint_batch_owner;

DROP INDEX IF EXISTS holdpoint_batch_due;

DROP INDEX IF EXISTS holdpoint_grant_expires;
