/**
 * A store on plain JDBC, for SQLite and PostgreSQL, and a LangChain4j chat memory store on the same database. Imports
 * {@code io.holdpoint.store} and {@code io.holdpoint.agui}, and LangChain4j for the chat memory only. Tables and their
 * queries: one small class each; where the databases differ: {@code SqlDialect}.
 */
@NullMarked
package io.holdpoint.store.jdbc;

import org.jspecify.annotations.NullMarked;
