import { stateView } from '@trunkline/contract/fleet/state-view.rules'
import { expect, onTestFinished, test, vi } from 'vitest'
import { conditionOfProgram } from '../alarms/finding.rules.ts'
import { movingSince } from '../testing/fake-host.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import type { TestSite } from '../testing/test-site.ts'
import { openReceiverSwitches } from './receiver-switches.service.ts'
import { addPath } from './path-site.fixture.ts'

/** Of a sender, as a row shows it and as alarms judge it. */
function seenOf({ ctx }: TestSite, id: string, kind: 'output' | 'feeder' = 'output') {
  const status = ctx.board.program(`${kind}-${id}`)
  const known = { kind, isEnabled: true, isConfigured: true, inputType: null } as const
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
  const path = await addPath(site)
  const switches = openReceiverSwitches(site.ctx)
  onTestFinished(async () => switches[Symbol.asyncDispose]())
  return { site, ...path }
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

test.each(BOTH_DATABASES)(
  'a feeder whose input is stopped on purpose or moved says so, and connects anew, on %s',
  async (kind) => {
    const { site, feederId, inputId } = await openSwitched(kind)
    const until = async (text: string, alarm: string) =>
      vi.waitFor(() => expect(seenOf(site, feederId, 'feeder')).toEqual({ text, alarm }), 30_000)
    const change = (state: 'running' | 'stopped') =>
      site.linkHost.change(`input-${inputId}`, { state, wanted: state })
    const observed = movingSince(site.encoderHost.nowMs())
    const lost = { ...observed, peerSinceMs: observed.peerSinceMs + 1, media: 'silent' } as const
    const runs = { state: 'running', wanted: 'running', pid: 7 } as const
    change('running')
    const gone = { ...runs, peer: 'disconnected', observed: lost } as const
    site.encoderHost.change(`feeder-${feederId}`, gone)
    await until('warn Running, no peer', 'bad')
    change('stopped')
    await until('off Running, input is off', 'well')
    const moveTo = async (port: number) => {
      await site.ctx.db.updateTable('inputs').set({ port }).where('id', '=', inputId).execute()
      site.ctx.notices.tell({ kind: 'input', id: inputId, change: 'changed', groupIds: [] })
    }
    await moveTo(6998)
    await until('move Running, connecting', 'unsettled')
    await moveTo(6000)
    await until('off Running, input is off', 'well')
    change('running')
    await until('move Running, connecting', 'unsettled')
  },
)

test.each(BOTH_DATABASES)(
  'of the senders only those of the changed server or destination are looked at again, on %s',
  async (kind) => {
    const { site, toChannel, feederId, inputId, destinationId } = await openSwitched(kind)
    const text = () => seenOf(site, toChannel).text
    const stopped = { state: 'stopped', wanted: 'stopped' } as const
    const observed = { ...movingSince(1), media: 'silent' } as const
    const runs = { state: 'running', wanted: 'running', peer: 'disconnected', observed } as const
    const isWanted = { wanted_running: 1 } as const
    await site.ctx.db.updateTable('outputs').set(isWanted).where('id', '=', toChannel).execute()
    site.linkHost.change(`input-${inputId}`, stopped)
    site.encoderHost.change(`feeder-${feederId}`, runs)
    site.linkHost.change(`output-${toChannel}`, runs)
    switchChannel(site, true)
    await vi.waitFor(() => expect(text()).toBe('off Running, channel is off'), 30_000)
    const sendTo = async (port: number) => {
      const change = { calls_port: port, destination_id: destinationId }
      await site.ctx.db.updateTable('outputs').set(change).where('id', '=', toChannel).execute()
    }
    const changed = { change: 'changed', groupIds: [] } as const
    await sendTo(7199)
    site.ctx.notices.tell({ kind: 'server', id: 'another', ...changed })
    // Read after it.
    await site.ctx.db.updateTable('inputs').set({ port: 6998 }).where('id', '=', inputId).execute()
    site.ctx.notices.tell({ kind: 'input', id: inputId, ...changed })
    const seenFeeder = () => seenOf(site, feederId, 'feeder').text
    await vi.waitFor(() => expect(seenFeeder()).toBe('move Running, connecting'), 30_000)
    expect(text()).toBe('off Running, channel is off')
    site.ctx.notices.tell({ kind: 'destination', id: destinationId, ...changed })
    await vi.waitFor(() => expect(text()).toBe('move Running, connecting'), 30_000)
    await sendTo(7100)
    site.ctx.notices.tell({ kind: 'server', id: site.channelServerId, ...changed })
    await vi.waitFor(() => expect(text()).toBe('off Running, channel is off'), 30_000)
  },
)
