import { readSignalPath, type PathKind } from '@trunkline/contract/paths/path.calls'
import type { SignalPath } from '@trunkline/contract/paths/path.schema'
import { expect, test } from 'vitest'
import type { PersonName } from '../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import type { TestSite } from '../testing/test-site.ts'
import { addPath } from './path-site.fixture.ts'

async function pathOf(site: TestSite, who: PersonName, kind: PathKind, id: string) {
  const { answer, text } = await site.call(who, readSignalPath, { params: { kind, id } })
  return { path: answer.data, text }
}

function shown({ hops }: SignalPath): string[] {
  return hops.map((hop) =>
    !hop.isShown ? `hidden ${hop.side} ${hop.why}` : `${hop.side} ${hop.kind} ${hop.title}`,
  )
}

test.each(BOTH_DATABASES)(
  'a path has the hops that the caller may see, and the health of the others, on %s',
  async (database) => {
    const site = await openSiteOn(database)
    const { encoderId, feederId, inputId, toChannel, channelId } = await addPath(site)
    const { path } = await pathOf(site, 'admin', 'encoder', encoderId)
    expect(shown(path).toSorted()).toEqual([
      'behind channel Live',
      'behind destination Paris',
      'behind feeder to Gateway',
      'behind input Feed 6000',
      'behind output to Channel',
      'behind output to Paris',
      'behind push rtmp://cdn.example/live',
      'self encoder Camera 0',
    ])
    expect(path.hops.find((hop) => hop.isShown && hop.kind === 'push')).toMatchObject({
      ownerId: channelId,
      server: 'Server channel',
      facts: [{ name: 'delivery', text: 'Refused' }],
    })
    expect(path.edges).toContainEqual({
      before: `channel ${channelId}`,
      behind: `push 0 of ${channelId}`,
    })
    expect(path.edges).toContainEqual({
      before: `feeder ${feederId}`,
      behind: `input ${inputId}`,
    })
    const input = path.hops.find(({ key }) => key === `input ${inputId}`)
    expect(input).toMatchObject({
      groups: ['North'],
      server: 'Server acants',
      link: { protocol: 'srt', mode: 'listen', port: 6000 },
      state: { family: 'off', word: 'Stopped' },
      facts: [{ name: 'process', text: 'Stopped' }],
    })
    const { path: upstream } = await pathOf(site, 'northMonitor', 'channel', channelId)
    expect(shown(upstream)).toEqual([
      'self channel Live',
      'hidden before role',
      'hidden before role',
      'before feeder to Gateway',
      'before encoder Camera 0',
      'behind push rtmp://cdn.example/live',
    ])
    // The input and with it its outputs are in another group from now on.
    await site.ctx.db
      .updateTable('inputs')
      .set({ group_id: site.south, title: 'Secret feed' })
      .where('id', '=', inputId)
      .execute()
    const foreign = await pathOf(site, 'northManager', 'encoder', encoderId)
    expect(shown(foreign.path).toSorted()).toEqual([
      'behind channel Live',
      'behind destination Paris',
      'behind feeder to Gateway',
      'behind push rtmp://cdn.example/live',
      'hidden behind group',
      'hidden behind group',
      'hidden behind group',
      'self encoder Camera 0',
    ])
    const hidden = foreign.path.hops.filter(({ isShown }) => !isShown)
    for (const hop of hidden) {
      expect(Object.keys(hop).toSorted()).toEqual(['family', 'isShown', 'key', 'side', 'why'])
    }
    for (const secret of [inputId, toChannel, 'Secret feed', 'to Paris', 'South', site.south]) {
      expect(foreign.text).not.toContain(secret)
    }
    const refused = await site.call('northManager', readSignalPath, {
      params: { kind: 'input', id: inputId },
    })
    expect(refused.status).toBe(404)
  },
)
