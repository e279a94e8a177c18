-- Version 4 on PostgreSQL: what a run is saying is seen from other nodes, if the agent has a flush interval.

-- the message that the run is writing, as far as it was flushed; goes with the lease
ALTER TABLE holdpoint_lease ADD COLUMN said TEXT;
