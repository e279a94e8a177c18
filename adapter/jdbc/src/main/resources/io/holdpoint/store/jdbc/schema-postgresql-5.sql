-- Version 5 on PostgreSQL: time has something to do with a batch.

-- when the first of the open questions is due; NULL: never. An earlier version leaves it as it is
ALTER TABLE holdpoint_batch ADD COLUMN due_at BIGINT;

CREATE INDEX holdpoint_batch_due ON holdpoint_batch (due_at, thread_id) WHERE due_at IS NOT NULL;
