/**
 * Upgrades nodes one by one: {@link io.holdpoint.upgrade.VersionBefore} has the real classes of an earlier version, whose node works
 * on one database beside a node of this version.
 */
package io.holdpoint.upgrade;
