import { stateView } from '@trunkline/contract/fleet/state-view.rules'
import { expect, onTestFinished, test, vi } from 'vitest'
import { conditionOfProgram } from '../alarms/finding.rules.ts'
import { movingSince } from '../testing/fake-host.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import type { TestSite } from '../testing/test-site.ts'
import { openChannelSwitches } from './channel-switches.service.ts'
import { addPath } from './path-site.fixture.ts'

/** Of an output, as a row shows it and as alarms judge it. */
function seenOf({ ctx }: TestSite, id: string) {
  const status = ctx.board.program(`output-${id}`)
  const known = { kind: 'output', isEnabled: true, isConfigured: true, inputType: null } as const
  const freshness = { nowMs: Date.now(), isLoaded: true, brokenSinceMs: null }
  const { family, word, cause } = stateView({ ...known, status, freshness })
  const alarm = status && conditionOfProgram(status, Date.now(), () => false).is
  return { text: `${family} ${word}, ${cause}`, alarm }
}

function switchChannel({ media }: TestSite, disabled: boolean): void {
  const stream = media.streams.get('live')
  if (stream !== undefined) media.streams.set('live', { ...stream, disabled })
}

async function openSwitched(kind: (typeof BOTH_DATABASES)[number]) {
  const site = await openSiteOn(kind)
  const { toChannel } = await addPath(site)
  const switches = openChannelSwitches(site.ctx)
  onTestFinished(async () => switches[Symbol.asyncDispose]())
  return { site, toChannel }
}

test.each(BOTH_DATABASES)(
  'an output whose channel was switched off says so, raises nothing, and connects anew, on %s',
  async (kind) => {
    const { site, toChannel } = await openSwitched(kind)
    const until = async (text: string, alarm: string) =>
      vi.waitFor(() => expect(seenOf(site, toChannel)).toEqual({ text, alarm }), 30_000)
    const observed = movingSince(site.linkHost.nowMs())
    const runs = { state: 'running', wanted: 'running', pid: 7 } as const
    site.linkHost.change(`output-${toChannel}`, { ...runs, peer: 'connected', observed })
    await until('ok Running, ', 'well')
    switchChannel(site, true)
    const lost = { ...observed, peerSinceMs: site.linkHost.nowMs(), media: 'silent' } as const
    site.linkHost.change(`output-${toChannel}`, { peer: 'disconnected', observed: lost })
    await until('off Running, channel is off', 'well')
    switchChannel(site, false)
    await until('move Running, connecting', 'unsettled')
    site.linkHost.change(`output-${toChannel}`, { peer: 'connected', observed })
    await until('ok Running, ', 'well')
  },
)

test.each(BOTH_DATABASES)(
  'an output that is sent elsewhere while its channel is off connects anew, on %s',
  async (kind) => {
    const { site, toChannel } = await openSwitched(kind)
    const until = async (text: string) =>
      vi.waitFor(() => expect(seenOf(site, toChannel).text).toBe(text), 30_000)
    const sendTo = async (port: number) => {
      const change = { calls_port: port }
      await site.ctx.db.updateTable('outputs').set(change).where('id', '=', toChannel).execute()
      site.ctx.notices.tell({ kind: 'destination', id: '', change: 'changed', groupIds: [] })
    }
    const observed = movingSince(site.linkHost.nowMs())
    const lost = { ...observed, peerSinceMs: site.linkHost.nowMs(), media: 'silent' } as const
    const runs = { state: 'running', wanted: 'running', pid: 7 } as const
    site.linkHost.change(`output-${toChannel}`, { ...runs, peer: 'disconnected', observed: lost })
    switchChannel(site, true)
    await until('off Running, channel is off')
    await sendTo(7199)
    await until('move Running, connecting')
    await sendTo(7100)
    await until('off Running, channel is off')
  },
)
