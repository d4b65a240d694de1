import {
  addTemplate,
  listTemplates,
  removeTemplate,
  updateTemplate,
} from '@trunkline/contract/encoders/template.calls'
import { TemplateSettings } from '@trunkline/contract/encoders/template.schema'
import { addGroup, removeGroup } from '@trunkline/contract/groups/group.calls'
import { describe, expect, test } from 'vitest'
import { maySeeNotice } from '../../fleet/scope.rules.ts'
import type { Notice } from '../../notices.ts'
import { databaseContent } from '../../testing/database-content.ts'
import { palConfig } from '../../testing/encoder.fixture.ts'
import type { PersonName } from '../../testing/people.ts'
import { expected, NOT_EDITORS, statusByPerson } from '../../testing/role-walk/roles-table.ts'
import {
  DATABASES,
  openTwoProcesses,
  takenAndRefused,
  type TwoProcesses,
} from '../../testing/two-processes.ts'

const { title: _1, 'card-idx': _2, output: _3, feeder: _4, ...SETTINGS } = palConfig(0)
const KEPT = TemplateSettings.parse(SETTINGS)
const BUSY = { ...SETTINGS, 'video-stream': { ...SETTINGS['video-stream'], bitrate: 1200 } }

async function add(site: TwoProcesses, who: PersonName, title: string, groupId: string) {
  const body = { title, groupId, settings: SETTINGS }
  return site.ask(addTemplate, site.people[who].token, { body })
}

async function titles(site: TwoProcesses, who: PersonName): Promise<string[]> {
  const { answer } = await site.ask(listTemplates, site.people[who].token, {})
  return answer.data.map(({ title }) => title)
}

const FOREIGN = { southManager: 404, loneManager: 404 } as const
const NOT_MONITORS = { northMonitor: 403, southMonitor: 403 } as const

describe.each(DATABASES)('Templates on %s', (kind) => {
  test('templates: operators see the templates of their groups and of all groups, by title', async () => {
    await using site = await openTwoProcesses(kind)
    await add(site, 'northManager', 'Élan', site.north)
    await add(site, 'admin', 'house', '')
    await add(site, 'southManager', 'Dirt track', site.south)
    expect(await titles(site, 'admin')).toEqual(['Dirt track', 'Élan', 'house'])
    expect(await titles(site, 'northManager')).toEqual(['Élan', 'house'])
    expect(await titles(site, 'northEditor')).toEqual(['Élan', 'house'])
    expect(await titles(site, 'loneManager')).toEqual(['house'])
    const statuses = await statusByPerson(site.app, site.people, listTemplates, () => ({}))
    expect(statuses).toEqual(expected(200, NOT_MONITORS))
  })

  test('templates: a template is answered completely, without fields that are never stored', async () => {
    await using site = await openTwoProcesses(kind)
    const settings = { ...SETTINGS, muxer: { ...SETTINGS.muxer, 'pmt-period': 100 } }
    const { answer } = await site.ask(addTemplate, site.people.admin.token, {
      body: { title: ' House ', groupId: site.north, settings },
    })
    expect(answer.data).toEqual({
      _id: answer.id,
      id: answer.id,
      title: 'House',
      groupId: site.north,
      groupInfo: { _id: site.north, title: 'North' },
      settings: KEPT,
      version: 1,
    })
    const { data } = (await site.ask(listTemplates, site.people.admin.token, {})).answer
    expect(data).toEqual([answer.data])
  })

  test('templates: managers save, change and delete those of their groups, admins every one', async () => {
    await using site = await openTwoProcesses(kind)
    const { app, people, north } = site
    const added = await statusByPerson(app, people, addTemplate, (who) => ({
      body: { title: `of ${who}`, groupId: north, settings: SETTINGS },
    }))
    expect(added).toEqual(expected(201, { ...NOT_EDITORS, ...FOREIGN }))
    const { id } = (await add(site, 'admin', 'Ours', north)).answer
    const saved = await statusByPerson(app, people, updateTemplate, (who) => ({
      params: { id },
      body: { title: `by ${who}` },
    }))
    expect(saved).toEqual(expected(200, { ...NOT_EDITORS, ...FOREIGN }))
    const ids = await Promise.all(
      ['a', 'b', 'c'].map(async (title) => (await add(site, 'admin', title, north)).answer.id),
    )
    const removed = await statusByPerson(app, people, removeTemplate, (who) => ({
      params: { id: who === 'superadmin' || who === 'admin' ? String(ids.pop()) : String(ids[0]) },
    }))
    expect(removed).toEqual(expected(200, { ...NOT_EDITORS, ...FOREIGN }))
  })

  test('templates: only an admin changes a template of all groups', async () => {
    await using site = await openTwoProcesses(kind)
    const { id } = (await add(site, 'admin', 'House', '')).answer
    const before = await databaseContent(site.ctx)
    const { token } = site.people.northManager
    const refused = [
      await add(site, 'northManager', 'Mine', ''),
      await site.ask(updateTemplate, token, { params: { id }, body: { title: 'Mine' } }),
      await site.ask(removeTemplate, token, { params: { id } }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
    for (const { failure } of refused) expect(failure.error).toContain('Only an admin may')
    const after = await databaseContent(site.ctx)
    expect(after['encoder_templates']).toEqual(before['encoder_templates'])
  })

  test('templates: settings that no encoder accepts are not stored', async () => {
    await using site = await openTwoProcesses(kind)
    const { token } = site.people.admin
    const ask = async (settings: object) =>
      site.ask(addTemplate, token, {
        body: { title: 'Odd', groupId: '', settings: settings as typeof SETTINGS },
      })
    const clash = await ask({
      ...SETTINGS,
      'audio-stream': { ...SETTINGS['audio-stream'], pid: 512 },
    })
    expect([clash.status, clash.failure.field]).toEqual([422, 'settings.audio-stream.pid'])
    const wide = await ask({ ...SETTINGS, muxer: { ...SETTINGS.muxer, 'pmt-pid': 8190 } })
    expect([wide.status, wide.failure.field]).toEqual([400, 'settings.muxer.pmt-pid'])
    const card = await ask({ ...SETTINGS, 'card-idx': 3 })
    expect(card.status).toBe(400)
    expect(await titles(site, 'admin')).toEqual([])
  })
})

describe.each(DATABASES)('Templates at once, on %s', (kind) => {
  test('templates: a title is given once in a group, whatever its case, also at the same moment', async () => {
    await using site = await openTwoProcesses(kind)
    const named = ['House', 'HOUSE', 'hoüse', 'house']
    const answers = await Promise.all(
      named.map(async (title) => add(site, 'northManager', title, site.north)),
    )
    expect(takenAndRefused(answers)).toEqual({ taken: 1, refused: 3 })
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused.map(({ failure }) => failure.field)).toEqual(['title', 'title', 'title'])
    expect((await add(site, 'southManager', 'House', site.south)).status).toBe(201)
    expect((await add(site, 'admin', 'House', '')).status).toBe(201)
    const other = (await add(site, 'northManager', 'Other', site.north)).answer.id
    const renamed = await site.ask(updateTemplate, site.people.northManager.token, {
      params: { id: other },
      body: { title: 'HOUSE' },
    })
    expect([renamed.status, renamed.failure.field]).toEqual([409, 'title'])
  })

  test('templates: of the saves of one version exactly one is taken, and the rest get a conflict', async () => {
    await using site = await openTwoProcesses(kind)
    const { id } = (await add(site, 'admin', 'House', site.north)).answer
    const save = async (title: string) =>
      site.ask(updateTemplate, site.people.northManager.token, {
        params: { id },
        body: { title, settings: BUSY, version: 1 },
      })
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map(save))
    expect(takenAndRefused(answers)).toEqual({ taken: 1, refused: 3 })
    const [kept] = await titles(site, 'admin')
    for (const { status, failure } of answers.filter((answer) => answer.status !== 200)) {
      expect(status).toBe(409)
      expect(failure.current).toMatchObject({ title: kept, version: 2 })
      expect(failure.changed).toEqual(['title'])
    }
    const more = await site.ask(updateTemplate, site.people.northManager.token, {
      params: { id },
      body: { settings: SETTINGS },
    })
    expect([more.status, more.answer.data.title, more.answer.data.version]).toEqual([200, kept, 3])
  })

  test('templates: deleting a group deletes its templates', async () => {
    await using site = await openTwoProcesses(kind)
    const { token } = site.people.admin
    const west = async () => {
      const body = { title: 'West', description: 'd', manager: site.people.loneManager.id }
      return (await site.ask(addGroup, token, { body })).answer.data.id
    }
    const groupId = await west()
    await add(site, 'admin', 'House', '')
    await add(site, 'loneManager', 'Western', groupId)
    await site.ask(removeGroup, token, { params: { id: groupId } })
    expect(await titles(site, 'admin')).toEqual(['House'])
    const line = await site.ctx.db
      .selectFrom('audit')
      .select('before')
      .where('call', '=', 'groups.remove')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(line.before ?? '')).toMatchObject({ templates: ['Western'] })

    for (let round = 0; round < 4; round++) {
      const id = await west()
      const [removed] = await Promise.all([
        site.ask(removeGroup, token, { params: { id } }),
        ...['a', 'b', 'c'].map(async (title) => add(site, 'loneManager', title, id)),
      ])
      expect(removed.status).toBe(200)
      expect(await titles(site, 'admin')).toEqual(['House'])
    }
  })
})

test('templates: a change is pushed to those who see the template, and to nobody else', async () => {
  await using site = await openTwoProcesses('SQLite')
  const heard: Notice[] = []
  site.ctx.notices.listen((notice) => heard.push(notice))
  const ours = (await add(site, 'northManager', 'Ours', site.north)).answer.id
  const house = (await add(site, 'admin', 'House', '')).answer.id
  const { token } = site.people.admin
  await site.ask(updateTemplate, token, { params: { id: ours }, body: { title: 'Mine' } })
  await site.ask(removeTemplate, token, { params: { id: house } })
  const [north, all] = [[site.north], ['']]
  expect(heard).toEqual([
    { kind: 'encoderTemplate', id: ours, change: 'added', groupIds: north },
    { kind: 'encoderTemplate', id: house, change: 'added', groupIds: all },
    { kind: 'encoderTemplate', id: ours, change: 'changed', groupIds: north },
    { kind: 'encoderTemplate', id: house, change: 'removed', groupIds: all },
  ])
  const hearing = (role: 'editor' | 'monitor' | 'manager' | 'admin', groupIds: string[]) => {
    const actor = {
      id: 'x',
      email: '',
      fullName: '',
      role,
      groupIds,
      sessionId: '',
      ip: '',
    }
    return heard.map((notice) => 'groupIds' in notice && maySeeNotice(actor, notice))
  }
  expect(hearing('admin', [])).toEqual([true, true, true, true])
  expect(hearing('manager', [site.north])).toEqual([true, true, true, true])
  expect(hearing('editor', [site.south])).toEqual([false, true, false, true])
  expect(hearing('monitor', [site.north])).toEqual([false, false, false, false])
})
