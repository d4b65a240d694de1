import {
  addEncoder,
  controlEncoder,
  enableEncoder,
  removeEncoder,
  removeEncoderConfig,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import type { Family } from '@trunkline/contract/fleet/state-view.rules'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../security/actor.ts'
import { addTestInput } from '../../testing/input.fixture.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../../testing/test-site.ts'
import { actorOf } from './counted-fleet.fixture.ts'

let site: TestSite

beforeEach(async () => {
  site = await openTestSite()
})
afterEach(async () => site[Symbol.asyncDispose]())

/** Only the states that anything is in. */
function encoders(actor: Actor, group = ''): Partial<Record<Family, number>> {
  const { families } = site.ctx.counts.of(actor, 'encoder', group)
  return Object.fromEntries(Object.entries(families).filter(([, count]) => count > 0))
}

async function setEnabled(id: string, isEnabled: boolean): Promise<void> {
  await site.call('admin', enableEncoder, { params: { id }, body: { isEnabled } })
}

test('DASH-02 counts follow what is added, started, disabled, moved and removed', async () => {
  const [admin, manager] = [actorOf('admin', []), actorOf('manager', [site.north])]
  const editor = actorOf('editor', [], site.people.northEditor.id)
  const { port } = site.encoderHost
  const body = { title: 'Bare', ip: '127.0.0.1', port, groupId: site.south, apiKey: '' }
  const { id } = await addTestEncoder(site, 0)
  expect(encoders(admin)).toEqual({ off: 1 })
  await site.call('admin', addEncoder, { body })
  expect([encoders(admin), encoders(manager), encoders(editor)]).toEqual([
    { off: 2 },
    { off: 1 },
    { off: 1 },
  ])
  const data = { name: 'encoder0', command: 'start' } as const
  await site.call('admin', controlEncoder, { params: { id }, body: { data } })
  expect(encoders(editor)).not.toHaveProperty('off')
  await setEnabled(id, false)
  expect(encoders(admin)).toEqual({ off: 2 })
  await setEnabled(id, true)
  await site.call('admin', updateEncoder, { body: { _id: id, groupId: site.south, users: [] } })
  expect([encoders(manager), encoders(editor), encoders(admin, site.south)]).toEqual([
    {},
    {},
    { off: 2 },
  ])
  await site.call('admin', removeEncoderConfig, { params: { id } })
  expect(encoders(admin)).toEqual({ off: 2 })
  await site.call('admin', removeEncoder, { params: { id } })
  expect(encoders(admin)).toEqual({ off: 1 })
})

test('F8 a host that goes makes what is to run there unseen, without a word of each', async () => {
  const { id } = await addTestEncoder(site, 0)
  await addTestEncoder(site, 1)
  await addTestInput(site, 6000)
  const admin = actorOf('admin', [])
  expect(encoders(admin)).toEqual({ off: 2 })
  const data = { name: 'encoder0', command: 'start' } as const
  await site.call('admin', controlEncoder, { params: { id }, body: { data } })
  const changed = new Promise((resolve) => site.ctx.counts.listen(() => resolve(null)))
  await site.encoderHost[Symbol.asyncDispose]()
  await changed
  // The other is not to run: it needs nobody.
  await expect.poll(() => encoders(admin)).toEqual({ blind: 1, off: 1 })
  expect(site.ctx.counts.of(admin, 'encoder', '').worst).toEqual([id])
  expect(site.ctx.counts.of(actorOf('monitor', [site.north]), 'input', '').total).toBe(0)
  expect(site.ctx.counts.of(actorOf('manager', [site.north]), 'input', '').total).toBe(1)
})
