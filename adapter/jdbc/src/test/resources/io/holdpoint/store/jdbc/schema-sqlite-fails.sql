CREATE TABLE holdpoint_half (id INTEGER);
ALTER TABLE holdpoint_nowhere ADD COLUMN a TEXT;
