import { expect, test } from 'vitest'
import { isChange } from '../http/call-subject.ts'
import { allCalls } from '../testing/all-calls.ts'
import { INTERRUPTIONS } from './interruption.service.ts'
import { mayInterrupt } from './running.rules.ts'

/** They add, rename, or are about people: no stream stops or changes by them. */
const INTERRUPTS_NOTHING = [
  'alarms.acknowledge',
  'alarms.acknowledgeSeveral',
  'alarms.mute',
  'alarms.unacknowledge',
  'alarms.unmute',
  // What a token then does is looked at call by call.
  'apiTokens.add',
  'apiTokens.addService',
  'apiTokens.revoke',
  'channels.rename',
  'backups.make',
  'channels.save',
  // No output follows the address of its destination, or goes with it (Q151).
  'destinations.add',
  'destinations.clone',
  'destinations.remove',
  'destinations.removeSeveral',
  'destinations.update',
  'encoderTemplates.add',
  'encoderTemplates.remove',
  'encoderTemplates.update',
  'encoders.add',
  'encoders.clone',
  // Streams go on: a host that is revoked is only cut off from the console.
  'enrolment.addCode',
  'enrolment.enrol',
  'enrolment.revoke',
  'groups.add',
  'groups.addUser',
  'groups.moveUser',
  // A group in use cannot be deleted.
  'groups.remove',
  'groups.removeUser',
  'groups.update',
  'inputs.add',
  'inputs.clone',
  'links.rename',
  // Test packets go to a port of their own.
  'linkTests.cancel',
  'linkTests.start',
  'alarmOverrides.add',
  'alarmOverrides.remove',
  'alarmOverrides.update',
  'maintenance.add',
  'maintenance.remove',
  'maintenance.update',
  'notificationRules.add',
  'notificationRules.remove',
  'notificationRules.test',
  'notificationRules.update',
  'onAir.put',
  'onAir.takeOff',
  'listViews.save',
  'outputs.add',
  'outputs.clone',
  // What a schedule then does is looked at when it is due.
  'schedules.add',
  'schedules.remove',
  'schedules.update',
  'servers.add',
  // Nor can a server in use.
  'servers.remove',
  'session.endOidc',
  'session.login',
  'session.passkeySetUpStep',
  'session.passkeyStep',
  'session.secondStep',
  'session.setUpStep',
  'session.signOut',
  'session.signOutEverywhere',
  'users.add',
  'users.addPasskey',
  'users.beginPasskey',
  'users.beginSecondFactor',
  'users.confirmSecondFactor',
  'users.endSession',
  'users.remove',
  'users.removePasskey',
  'users.renamePasskey',
  'users.requireFactor',
  'users.resetSecondFactor',
  'users.turnOffSecondFactor',
  'users.update',
]

test('every call that changes something says what it interrupts, or that it interrupts nothing', async () => {
  const changes = (await allCalls())
    .filter((call) => isChange(call, undefined))
    .map(({ name }) => name)
  const known = [...INTERRUPTIONS.keys(), ...INTERRUPTS_NOTHING]
  expect(known.toSorted()).toEqual(changes.toSorted())
})

test('a program that is down is not interrupted, and its restart out of a retry pause is a repair', () => {
  expect(mayInterrupt('stop', 'running')).toBe(true)
  expect(mayInterrupt('stop', 'unreachable')).toBe(true)
  expect(mayInterrupt('stop', undefined)).toBe(true)
  expect(mayInterrupt('restart', 'stopped')).toBe(false)
  expect(mayInterrupt('stop', 'fatal')).toBe(false)
  expect(mayInterrupt('restart', 'backoff')).toBe(false)
  expect(mayInterrupt('stop', 'backoff')).toBe(true)
})
