/** A walk over every call that changes something, for what must be true after each of them. */
import {
  acknowledgeAlarm,
  acknowledgeAlarms,
  muteAlarm,
  unacknowledgeAlarm,
  unmuteAlarm,
} from '@trunkline/contract/alarms/alarm.calls'
import {
  addMaintenance,
  removeMaintenance,
  updateMaintenance,
} from '@trunkline/contract/alarms/maintenance/maintenance.calls'
import {
  addOverride,
  removeOverride,
  updateOverride,
} from '@trunkline/contract/alarms/overrides/override.calls'
import {
  changeStreamStatus,
  removeChannel,
  renameChannel,
  restartStream,
  saveChannels,
  selectInput,
} from '@trunkline/contract/channels/channel.calls'
import { carryEncoder } from '@trunkline/contract/contributions/carry.calls'
import {
  changeServer,
  contributionAction,
  updateTitle,
} from '@trunkline/contract/contributions/contribution.calls'
import {
  cloneInput,
  addInput,
  removeInput,
  removeInputs,
  setInputsStatus,
  updateInput,
} from '@trunkline/contract/contributions/input.calls'
import {
  cloneDestination,
  addDestination,
  removeDestination,
  removeDestinations,
  updateDestination,
} from '@trunkline/contract/contributions/destination.calls'
import {
  cloneOutput,
  addOutput,
  changeOutputDestination,
  removeOutput,
  removeOutputs,
  setOutputsStatus,
  updateOutput,
} from '@trunkline/contract/contributions/output.calls'
import {
  addEncoder,
  cloneEncoder,
  controlEncoder,
  enableEncoder,
  removeEncoder,
  removeEncoderConfig,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { putOnAir, takeOffAir } from '@trunkline/contract/on-air/on-air.calls'
import { removeFeeder, saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import {
  addTemplate,
  removeTemplate,
  updateTemplate,
} from '@trunkline/contract/encoders/template.calls'
import {
  addGroup,
  addGroupUser,
  moveGroupUser,
  removeGroupUser,
  removeGroup,
  updateGroup,
} from '@trunkline/contract/groups/group.calls'
import type { Route } from '@trunkline/contract/route'
import { cancelLinkTest, startLinkTest } from '@trunkline/contract/link-tests/link-test.calls'
import { addServer, removeServer, updateServer } from '@trunkline/contract/servers/server.calls'
import { login, signOut, signOutEverywhere } from '@trunkline/contract/session/session.calls'
import { saveListView } from '@trunkline/contract/users/list-view.calls'
import { endUserSession } from '@trunkline/contract/users/user-session.calls'
import { addUser, removeUser, updateUser } from '@trunkline/contract/users/user.calls'
import { openTestAlarm } from './alarm.fixture.ts'
import { palConfig } from './encoder.fixture.ts'
import { walkNotifications } from '../notifications/notification-walk.fixture.ts'
import { walkEnrolment } from '../enrolment/enrolment.fixture.ts'
import { makeBackup } from '@trunkline/contract/backups/backup.calls'
import { walkSchedules } from '../schedules/schedule-walk.fixture.ts'
import { walkApiTokens } from '../users/api-tokens/api-token.fixture.ts'
import { walkSecondFactor } from '../users/second-factor/second-factor.fixture.ts'
import { walkOidc } from './oidc/oidc-walk.fixture.ts'
import { FAKE_KEY } from './fake-host.ts'
import { addTestInput, outputBody, testInput } from './input.fixture.ts'
import { PLANTED_SECRETS, type InjectInput } from './inject.ts'
import { openSession, signInAs, TEST_PASSWORD } from './people.ts'
import { addTestEncoder, type TestSite } from './test-site.ts'
import { gatewayDraft } from './server.fixture.ts'

export const WALK_PASSWORDS = ['planted-password-3Wd', 'planted-password-8Lm'] as const

/** What a line of audit of this call must hold beside who, what and whence. */
export type Holds = 'before and after' | 'after' | 'before' | 'neither'

/**
 * One call as the superadmin; answers the id of what it is about, as its answer has it. `parts`: the
 * calls that it stands for, each with a line of audit of its own.
 */
export type Step = <T extends Route>(
  call: T,
  holds: Holds,
  input: InjectInput<T>,
  parts?: readonly string[],
) => Promise<string>

export async function walkEveryChange(site: TestSite, step: Step): Promise<void> {
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
  site.dialSlowly()
  await walkPeopleAndPlaces(site, step)
  await walkEncoders(site, step)
  await walkCopies(site, step)
  await walkLinks(site, step)
  await walkInputs(site, step)
  await walkOutputs(site, step)
  await walkCarry(site, step)
  await walkChannels(site, step)
  await walkAlarms(site, step)
  await walkMaintenance(site, step)
  await walkOverrides(site, step)
  await walkNotifications(step)
  await walkOnAir(site, step)
  await walkSchedules(site, step)
  await step(makeBackup, 'neither', {})
  await walkApiTokens(site, step)
  await walkEnrolment(site, step)
  await walkSecondFactor(site, step)
  const view = { hidden: ['email'], saved: [] }
  await step(saveListView, 'neither', { params: { name: 'encoders' }, body: view })
  await walkOidc(site, step)
  await walkSession(site, step)
}

/** Of what a call has answered. */
export function idIn(text: string): string {
  const answer = JSON.parse(text) as { id?: string; data?: { id?: string } | unknown[] }
  const data = Array.isArray(answer.data) ? answer.data[0] : answer.data
  return answer.id ?? (data as { id?: string } | undefined)?.id ?? ''
}

async function walkPeopleAndPlaces(site: TestSite, step: Step): Promise<void> {
  const person = { firstName: 'New', lastName: 'Person', password: WALK_PASSWORDS[0] }
  const user = async (email: string, mode: 'manager' | 'editor', groupId?: string) =>
    step(addUser, 'after', { body: { ...person, email, mode, ...(groupId && { groupId }) } })
  const managerId = await user('new-manager@trunkline.example', 'manager')
  const groupId = await step(addGroup, 'after', {
    body: { title: 'West', description: 'd', manager: managerId },
  })
  await step(updateGroup, 'before and after', {
    params: { id: groupId },
    body: { title: 'Far West' },
  })
  const editorId = await user('new-editor@trunkline.example', 'editor')
  const [body, inNorth] = [{ userId: editorId }, { groupId: site.north }]
  await step(addGroupUser, 'after', { params: { groupId }, body })
  await step(moveGroupUser, 'after', { params: inNorth, body })
  await step(removeGroupUser, 'after', { params: inNorth, body })
  await step(updateUser, 'before and after', {
    body: {
      _id: editorId,
      firstName: 'Newer',
      newPassword: WALK_PASSWORDS[1],
      newConfirmPassword: WALK_PASSWORDS[1],
    },
  })
  const session = { id: editorId, sessionId: await openSession(site.ctx, editorId) }
  await step(endUserSession, 'before', { params: session })
  await step(removeUser, 'before', { params: { id: editorId } })
  await step(removeGroup, 'before', { params: { id: groupId } })
  const serverId = await step(addServer, 'after', {
    body: gatewayDraft([site.north], { title: 'Spare', port: site.encoderHost.port }),
  })
  await walkLinkTest(site, serverId, step)
  await step(updateServer, 'before and after', {
    params: { id: serverId },
    body: { title: 'Spare gateway', apiKey: FAKE_KEY },
  })
  await step(removeServer, 'before', { params: { id: serverId } })
}

async function walkLinkTest(site: TestSite, toServerId: string, step: Step): Promise<void> {
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.encoderHost.port })
  const ends = { fromKind: 'server' as const, fromId: site.acantsId, toServerId }
  const testId = await step(startLinkTest, 'after', { body: { ...ends, address: '127.0.0.1' } })
  await step(cancelLinkTest, 'neither', { params: { testId }, query: ends })
}

async function walkEncoders(site: TestSite, step: Step): Promise<void> {
  const id = await step(addEncoder, 'after', {
    body: {
      title: 'Camera',
      ip: '127.0.0.1',
      port: site.encoderHost.port,
      groupId: site.north,
      apiKey: FAKE_KEY,
    },
  })
  await step(updateEncoder, 'before and after', { body: { _id: id, config: palConfig(0) } })
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.encoderHost.port })
  await site.ctx.programs.refresh({ by: 'encoder', id })
  await step(controlEncoder, 'neither', {
    params: { id },
    body: { data: { name: 'encoder0', command: 'start' } },
  })
  const params = { id }
  await step(enableEncoder, 'before and after', { params, body: { isEnabled: false } })
  await step(saveFeeder, 'after', {
    params: { product: 'acan' },
    body: {
      _id: id,
      feederPost: {
        serverId: site.acantsId,
        input: { title: 'to Gateway', addr: '127.0.0.1:5000', port: 5000 },
        output: [{ addr: '192.0.2.10:6000', port: 6000, passphrase: PLANTED_SECRETS[1] }],
      },
    },
  })
  const { name } = await site.ctx.db
    .selectFrom('feeders')
    .select('id as name')
    .executeTakeFirstOrThrow()
  await step(removeFeeder, 'before', { params: { encoderId: id, feederName: name } })
  await step(removeEncoderConfig, 'before and after', { params })
  await step(removeEncoder, 'before', { params })
}

async function walkCopies(site: TestSite, step: Step): Promise<void> {
  const id = await step(addEncoder, 'after', {
    body: { title: 'Original', ip: '127.0.0.1', port: 4001, groupId: site.north, apiKey: FAKE_KEY },
  })
  const { title: _1, 'card-idx': _2, output: _3, feeder: _4, ...settings } = palConfig(0)
  await step(cloneEncoder, 'after', { params: { id }, body: { title: 'Copy', 'card-idx': 1 } })
  const templateId = await step(addTemplate, 'after', {
    body: { title: 'House', groupId: '', settings },
  })
  const params = { id: templateId }
  await step(updateTemplate, 'before and after', { params, body: { title: 'House style' } })
  await step(removeTemplate, 'before', { params })
}

async function walkLinks(site: TestSite, step: Step): Promise<void> {
  const encryption = { selection: 'yes', passphrase: PLANTED_SECRETS[1], type: 128 } as const
  const inputId = await step(addInput, 'after', { body: testInput(site, 6000, { encryption }) })
  await step(addOutput, 'after', { body: outputBody(inputId, { encryption }) })
  await step(contributionAction, 'neither', { body: { id: inputId, type: 1, actionType: 'stop' } })
  const newServerId = await step(addServer, 'after', { body: gatewayDraft([site.north]) })
  await step(changeServer, 'before and after', {
    body: { newServerId, contributions: [inputId], keepOrDelete: '1' },
  })
}

async function walkInputs(site: TestSite, step: Step): Promise<void> {
  const encryption = { selection: 'yes', passphrase: PLANTED_SECRETS[1], type: 128 } as const
  const body = (title: string, port: number) => testInput(site, port, { title, encryption })
  const id = await step(addInput, 'after', { body: body('Camera feed', 6100) })
  const params = { id }
  await step(updateInput, 'before and after', { params, body: body('Camera 1', 6102) })
  await step(updateTitle, 'before and after', {
    body: { inputId: id, title: 'Camera 2', type: 'input' },
  })
  await step(cloneInput, 'after', { params, body: { title: 'Camera 3', port: 6106 } })
  await step(setInputsStatus, 'before and after', { body: { names: [id], isDisable: true } })
  await step(removeInput, 'before', { params })
  const other = await step(addInput, 'after', { body: body('Spare feed', 6104) })
  await step(removeInputs, 'before', { body: { contriNames: [other] } })
}

async function walkOutputs(site: TestSite, step: Step): Promise<void> {
  const encryption = { selection: 'yes', passphrase: PLANTED_SECRETS[1], type: 128 } as const
  const { id: contributionId } = await addTestInput(site, 6200)
  const far = { title: 'Far end', ip: '192.0.2.10', groupId: site.north, encryption }
  const destinationId = await step(addDestination, 'after', { body: far })
  await step(updateDestination, 'before and after', {
    params: { id: destinationId },
    body: { ...far, title: 'Farther' },
  })
  const copyOf = { params: { id: destinationId }, body: { title: 'Farthest' } }
  await step(cloneDestination, 'after', copyOf)
  const output = (title: string) => {
    const config = { host: '192.0.2.11', port: 7002 }
    return { title, inputType: 'SRT' as const, contributionId, config, encryption }
  }
  const id = await step(addOutput, 'after', { body: output('Way out') })
  await step(updateOutput, 'before and after', { params: { id }, body: output('Exit') })
  await step(cloneOutput, 'after', { params: { id }, body: { title: 'Exit 2', port: 7004 } })
  await step(changeOutputDestination, 'before and after', {
    body: { destinationId, outputIds: [id] },
  })
  await step(setOutputsStatus, 'before and after', { body: { names: [id], isDisable: true } })
  await step(removeOutput, 'before', { params: { id } })
  const other = await step(addOutput, 'after', { body: output('Spare exit') })
  await step(removeOutputs, 'before', { body: { outputNames: [other] } })
  await step(removeDestination, 'before', { params: { id: destinationId } })
  const spareId = await step(addDestination, 'after', { body: { ...far, title: 'Spare' } })
  await step(removeDestinations, 'before', { body: { destinationIds: [spareId] } })
}

async function walkCarry(site: TestSite, step: Step): Promise<void> {
  const { id } = await addTestEncoder(site, 0)
  const passphrase = PLANTED_SECRETS[1]
  const encryption = { selection: 'yes', passphrase, type: 128 } as const
  const leg = { inputPort: 5500, host: '127.0.0.1', port: 6300, encryption }
  const body = {
    title: 'Carried',
    serverId: site.acantsId,
    feeder: { use: 'new', ...leg },
    output: { inputType: 'SRT', config: { host: '192.0.2.11', port: 7008 }, encryption },
  } as const
  const parts = ['feeders.save', 'inputs.add', 'outputs.add']
  await step(carryEncoder, 'after', { params: { id }, body }, parts)
}

async function walkChannels(site: TestSite, step: Step): Promise<void> {
  const name = 'demo'
  const url = `srt://far.example:7000?passphrase=${PLANTED_SECRETS[1]}`
  const inputs = [{ url }, { url: 'udp://239.1.1.1:5000' }]
  site.media.streams.set(name, { name, stats: { alive: true }, inputs, pushes: [{ url }] })
  const serverId = site.channelServerId
  const channelId = await step(saveChannels, 'after', {
    body: [{ name, title: 'Demo', serverId, groupIds: [site.north] }],
  })
  await step(renameChannel, 'before and after', { params: { channelId }, body: { title: 'Main' } })
  const stream = { serverId, streamName: name }
  await step(changeStreamStatus, 'after', { body: { ...stream, data: { disabled: true } } })
  await step(restartStream, 'neither', { body: stream })
  const source = { ...stream, index: 1, url: 'udp://239.1.1.1:5000' }
  await step(selectInput, 'after', { body: source })
  await step(removeChannel, 'before', { params: { channelId } })
}

async function walkAlarms(site: TestSite, step: Step): Promise<void> {
  const id = await openTestAlarm(site.ctx, { kind: 'server', id: site.acantsId })
  await step(acknowledgeAlarm, 'neither', { params: { id }, body: { note: 'Seen' } })
  await step(unacknowledgeAlarm, 'neither', { params: { id }, body: {} })
  await step(muteAlarm, 'neither', { params: { id }, body: { minutes: 5 } })
  await step(unmuteAlarm, 'neither', { params: { id }, body: {} })
  await step(acknowledgeAlarms, 'neither', { body: { alarms: [{ id }], note: 'Power cut' } })
}

async function walkMaintenance({ north }: TestSite, step: Step): Promise<void> {
  const covers = { kind: 'group' as const, id: north }
  const times = { repeats: 'weekly' as const, days: ['sun' as const], startsAt: '02:00' }
  const body = { title: 'Firmware', covers, times: { ...times, minutes: 60 } }
  const params = { id: await step(addMaintenance, 'after', { body }) }
  await step(updateMaintenance, 'before and after', { params, body: { title: 'Cabling' } })
  await step(removeMaintenance, 'before', { params })
}

async function walkOverrides({ north }: TestSite, step: Step): Promise<void> {
  const covers = { kind: 'group' as const, id: north }
  const body = { covers, rule: 'no-peer' as const, isOff: true }
  const params = { id: await step(addOverride, 'after', { body }) }
  await step(updateOverride, 'before and after', { params, body: { isOff: false } })
  await step(removeOverride, 'before', { params })
}

async function walkOnAir(site: TestSite, step: Step): Promise<void> {
  const { id } = await addTestInput(site, 6800)
  const params = { kind: 'input' as const, id }
  await step(putOnAir, 'after', { params, body: { note: 'Evening news' } })
  await step(takeOffAir, 'before', { params })
}

async function walkSession(site: TestSite, step: Step): Promise<void> {
  const { email } = site.people.superadmin
  await step(login, 'neither', { body: { email, password: TEST_PASSWORD } })
  await step(signOut, 'neither', {})
  site.people.superadmin.token = await signInAs(site.ctx, site.people.superadmin.id)
  await step(signOutEverywhere, 'after', {})
}
