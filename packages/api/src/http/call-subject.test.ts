import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { changeStreamStatus, renameChannel } from '@trunkline/contract/channels/channel.calls'
import {
  controlEncoder,
  findEncoder,
  listAllEncoders,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { moveGroupUser } from '@trunkline/contract/groups/group.calls'
import type { Route } from '@trunkline/contract/route'
import { jwtLogin, signOutEverywhere } from '@trunkline/contract/session/session.calls'
import { removeUser, updateUser } from '@trunkline/contract/users/user.calls'
import { updateServer } from '@trunkline/contract/servers/server.calls'
import { expect, test } from 'vitest'
import { isChange, subjectOf } from './call-subject.ts'

test.each<[Route, object, unknown, { kind: string; id: string } | null]>([
  [controlEncoder, { id: 'e' }, { data: {} }, { kind: 'encoder', id: 'e' }],
  [updateEncoder, {}, { _id: 'e' }, { kind: 'encoder', id: 'e' }],
  [updateUser, {}, { _id: 'u' }, { kind: 'user', id: 'u' }],
  [removeUser, { id: 'u' }, undefined, { kind: 'user', id: 'u' }],
  [moveGroupUser, { groupId: 'g' }, { userId: 'u' }, { kind: 'group', id: 'g' }],
  [saveFeeder, { product: 'acan' }, { _id: 'e' }, { kind: 'encoder', id: 'e' }],
  [saveFeeder, { product: 'acan' }, undefined, null],
  [renameChannel, { channelId: 'c' }, { title: 't' }, { kind: 'channel', id: 'c' }],
  [changeStreamStatus, {}, { serverId: 's', streamName: 'n' }, { kind: 'server', id: 's' }],
  [contributionAction, {}, { type: 1, id: 'i' }, { kind: 'input', id: 'i' }],
  [contributionAction, {}, { type: '2', id: 'o' }, { kind: 'output', id: 'o' }],
  [contributionAction, {}, { type: 10, id: 'e' }, { kind: 'encoder', id: 'e' }],
  [contributionAction, {}, { type: 12, id: 'x' }, null],
  [contributionAction, {}, [], null],
  [updateEncoder, {}, { _id: 5 }, null],
  [updateEncoder, {}, { _id: 'x'.repeat(65) }, null],
  [updateEncoder, {}, null, null],
  [updateServer, { id: 's' }, { _id: 'other' }, { kind: 'server', id: 's' }],
  [updateServer, { id: 'a\0b' }, undefined, null],
  [updateServer, { id: 'x'.repeat(65) }, undefined, null],
  [signOutEverywhere, {}, undefined, null],
])('T20 $name with %j and %j is about %j', (call, params, body, subject) => {
  expect(subjectOf(call, params, body)).toEqual(subject)
})

test.each<[Route, unknown, boolean]>([
  [updateEncoder, { _id: 'e' }, true],
  [removeUser, undefined, true],
  [findEncoder, undefined, false],
  [listAllEncoders, {}, false],
  [jwtLogin, null, false],
  [signOutEverywhere, null, true],
  [controlEncoder, { data: { command: 'stop' } }, true],
  [controlEncoder, { data: { command: 'tail' } }, false],
  [contributionAction, { actionType: 'restart' }, true],
  [contributionAction, { actionType: 'tail' }, false],
])('T20 whether $name of %j is a change: %j', (call, body, change) => {
  expect(isChange(call, body)).toBe(change)
})
