/**
 * Object identifiers of TRUNKLINE-MIB (packages/console/public/TRUNKLINE-MIB.txt); a test holds the two
 * together. They lie below netSnmpPlaypen until the project has an enterprise number of its own.
 */
import type { Severity } from '@trunkline/contract/alarms/open-alarms.schema'

const MODULE = '1.3.6.1.4.1.8072.9999.9999.7471'
const NOTIFICATIONS = `${MODULE}.0`
const OBJECTS = `${MODULE}.1`

export const MIB = {
  alarmRaised: `${NOTIFICATIONS}.1`,
  alarmCleared: `${NOTIFICATIONS}.2`,
  alarmReminder: `${NOTIFICATIONS}.3`,
  alarmsOmitted: `${NOTIFICATIONS}.4`,
  test: `${NOTIFICATIONS}.5`,
  deliveryId: `${OBJECTS}.1.0`,
  notificationRule: `${OBJECTS}.2.0`,
  alarmId: `${OBJECTS}.3.0`,
  alarmSeverity: `${OBJECTS}.4.0`,
  alarmRule: `${OBJECTS}.5.0`,
  alarmObjectKind: `${OBJECTS}.6.0`,
  alarmObjectId: `${OBJECTS}.7.0`,
  alarmObjectTitle: `${OBJECTS}.8.0`,
  alarmText: `${OBJECTS}.9.0`,
  alarmRaisedAt: `${OBJECTS}.10.0`,
  alarmCount: `${OBJECTS}.11.0`,
} as const

export const SEVERITY_NUMBERS: Readonly<Record<Severity, number>> = {
  critical: 1,
  major: 2,
  warning: 3,
}
