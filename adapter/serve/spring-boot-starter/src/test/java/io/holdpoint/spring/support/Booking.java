package io.holdpoint.spring.support;

/** A rental of a car. */
public record Booking(String number, String customer, boolean cancelled) {}
