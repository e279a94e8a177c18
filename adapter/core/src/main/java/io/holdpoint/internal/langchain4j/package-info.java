/** The one place that reads private members of LangChain4j. It uses no room; a version of LangChain4j that lacks a member shows here. */
@NullMarked
package io.holdpoint.internal.langchain4j;

import org.jspecify.annotations.NullMarked;
