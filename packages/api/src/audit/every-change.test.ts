/** T20: every call that changes something leaves one line that tells it whole, without its secrets. */
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
import { addServer, removeServer, updateServer } from '@trunkline/contract/servers/server.calls'
import { login, signOut, signOutEverywhere } from '@trunkline/contract/session/session.calls'
import { endUserSession } from '@trunkline/contract/users/user-session.calls'
import { addUser, removeUser, updateUser } from '@trunkline/contract/users/user.calls'
import { expect, test } from 'vitest'
import type { AuditRow } from '../db/schema.ts'
import { isChange } from '../http/call-subject.ts'
import { allCalls } from '../testing/all-calls.ts'
import { palConfig } from '../testing/encoder.fixture.ts'
import { FAKE_KEY } from '../testing/fake-host.ts'
import { inject, PLANTED_SECRETS, type InjectInput } from '../testing/inject.ts'
import { openSession, signInAs, TEST_PASSWORD } from '../testing/people.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../testing/test-site.ts'

const PASSWORDS = ['planted-password-3Wd', 'planted-password-8Lm'] as const
const SECRETS = [...PLANTED_SECRETS, ...PASSWORDS, TEST_PASSWORD, '$argon2']

/** What a line of this call must hold beside who, what and whence. */
type Holds = 'before and after' | 'after' | 'before' | 'neither'

interface Walk {
  site: TestSite
  walked: string[]
  /**
   * One call as the superadmin; the id of what it is about, as its answer has it. `parts`: the calls
   * that it stands for, each with a line of its own.
   */
  step: <T extends Route>(
    call: T,
    holds: Holds,
    input: InjectInput<T>,
    parts?: readonly string[],
  ) => Promise<string>
}

function openWalk(site: TestSite): Walk {
  const walked: string[] = []
  const { superadmin } = site.people
  return {
    site,
    walked,
    async step(call, holds, input, parts = []) {
      const known = await linesOf(site)
      const { status, text } = await inject(site.app, call, superadmin.token, input)
      expect([call.name, status, status >= 300 ? text : '']).toEqual([
        call.name,
        call.successStatus,
        '',
      ])
      const lines = (await linesOf(site)).filter(({ id }) => !known.some((item) => item.id === id))
      const calls = lines.map((each) => each.call)
      expect(calls.toSorted(), call.name).toEqual([call.name, ...parts].toSorted())
      const line = lines.find((each) => each.call === call.name)
      expect(line).toMatchObject({
        call: call.name,
        actor_id: superadmin.id,
        actor_name: 'Test superadmin',
        role: 'superadmin',
        ip: '127.0.0.1',
        result: 'done',
      })
      expect([call.name, line?.object_kind, line?.object_id, line?.object_title]).not.toContain('')
      expect([call.name, line?.object_id, line?.object_kind]).not.toContain(null)
      expect([call.name, heldBy(line)]).toEqual([call.name, holds])
      walked.push(call.name)
      const answer = JSON.parse(text) as { id?: string; data?: { id?: string } | unknown[] }
      const data = Array.isArray(answer.data) ? answer.data[0] : answer.data
      return answer.id ?? (data as { id?: string } | undefined)?.id ?? ''
    },
  }
}

async function linesOf(site: TestSite): Promise<AuditRow[]> {
  return site.ctx.db.selectFrom('audit').selectAll().orderBy('at').execute()
}

function heldBy(line: AuditRow | undefined): Holds {
  const hasBefore = (line?.before ?? null) !== null
  const hasAfter = (line?.after ?? null) !== null
  if (hasBefore && hasAfter) return 'before and after'
  if (hasBefore) return 'before'
  return hasAfter ? 'after' : 'neither'
}

async function walkPeopleAndPlaces({ site, step }: Walk): Promise<void> {
  const person = { firstName: 'New', lastName: 'Person', password: PASSWORDS[0] }
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
      newPassword: PASSWORDS[1],
      newConfirmPassword: PASSWORDS[1],
    },
  })
  const session = { id: editorId, sessionId: await openSession(site.ctx, editorId) }
  await step(endUserSession, 'before', { params: session })
  await step(removeUser, 'before', { params: { id: editorId } })
  await step(removeGroup, 'before', { params: { id: groupId } })
  const serverId = await step(addServer, 'after', {
    body: {
      title: 'Spare',
      host: '127.0.0.1',
      port: 19_999,
      serverType: 'acants',
      apiKey: FAKE_KEY,
      groupIds: [site.north],
      adapterIps: [{ adapterName: 'lo', adapterIp: '127.0.0.1' }],
    },
  })
  await step(updateServer, 'before and after', {
    params: { id: serverId },
    body: { title: 'Spare gateway', apiKey: FAKE_KEY },
  })
  await step(removeServer, 'before', { params: { id: serverId } })
}

async function walkEncoders({ site, step }: Walk): Promise<void> {
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

async function walkCopies({ site, step }: Walk): Promise<void> {
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

async function walkLinks({ site, step }: Walk): Promise<void> {
  const encryption = { selection: 'yes', passphrase: PLANTED_SECRETS[1], type: 128 } as const
  const inputId = await step(addInput, 'after', {
    body: {
      title: 'Feed',
      inputType: 'SRT',
      serverId: site.acantsId,
      groupId: site.north,
      config: { port: 6000 },
      encryption,
    },
  })
  await step(addOutput, 'after', {
    body: {
      title: 'To far end',
      inputType: 'SRT',
      contributionId: inputId,
      config: { mode: 'Push', host: '192.0.2.10', port: 7000 },
      encryption,
    },
  })
  await step(contributionAction, 'neither', { body: { id: inputId, type: 1, actionType: 'stop' } })
  const newServerId = await step(addServer, 'after', {
    body: {
      title: 'Second gateway',
      host: '127.0.0.1',
      port: 19_998,
      serverType: 'acants',
      apiKey: FAKE_KEY,
      groupIds: [site.north],
      adapterIps: [{ adapterName: 'lo', adapterIp: '127.0.0.1' }],
    },
  })
  await step(changeServer, 'before and after', {
    body: { newServerId, contributions: [inputId], keepOrDelete: '1' },
  })
}

async function walkInputs({ site, step }: Walk): Promise<void> {
  const encryption = { selection: 'yes', passphrase: PLANTED_SECRETS[1], type: 128 } as const
  const body = (title: string, port: number) => ({
    title,
    inputType: 'SRT' as const,
    serverId: site.acantsId,
    groupId: site.north,
    config: { port },
    encryption,
  })
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

async function walkOutputs({ site, step }: Walk): Promise<void> {
  const encryption = { selection: 'yes', passphrase: PLANTED_SECRETS[1], type: 128 } as const
  const feed = { serverId: site.acantsId, groupId: site.north, config: { port: 6200 } }
  const body = { title: 'Long way', inputType: 'SRT', ...feed } as const
  const contributionId = (await site.call('superadmin', addInput, { body })).answer.id
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

async function walkCarry({ site, step }: Walk): Promise<void> {
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

async function walkChannels({ site, step }: Walk): Promise<void> {
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

async function walkSession({ site, step }: Walk): Promise<void> {
  const { email } = site.people.superadmin
  await step(login, 'neither', { body: { email, password: TEST_PASSWORD } })
  await step(signOut, 'neither', {})
  site.people.superadmin.token = await signInAs(site.ctx, site.people.superadmin.id)
  await step(signOutEverywhere, 'after', {})
}

test('T20 T10 every call that changes something leaves one whole line, without secrets', async () => {
  await using site = await openTestSite()
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
  const walk = openWalk(site)
  await walkPeopleAndPlaces(walk)
  await walkEncoders(walk)
  await walkCopies(walk)
  await walkLinks(walk)
  await walkInputs(walk)
  await walkOutputs(walk)
  await walkCarry(walk)
  await walkChannels(walk)
  await walkSession(walk)
  const changing = (await allCalls()).filter((call) => isChange(call, {})).map(({ name }) => name)
  expect([...new Set(walk.walked)].toSorted()).toEqual(changing.toSorted())
  const record = JSON.stringify(await linesOf(site))
  expect(SECRETS.filter((secret) => record.includes(secret))).toEqual([])
})
