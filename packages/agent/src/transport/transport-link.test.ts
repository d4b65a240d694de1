import type { HostMessage } from '@trunkline/contract/agent/host-link.messages'
import { expect, test } from 'vitest'
import { freeUdpPort, openLink, openTestAgent, shared } from '../agent.fixture.ts'
import { srtLeg } from '../commands/leg.fixture.ts'
import { sendStream, VIDEO_PID } from './transport.fixture.ts'

const agent = shared(async () => openTestAgent(['acants']))

function seat() {
  const [found] = agent.config.seats
  if (!found) throw new Error('no seat')
  return found
}

function transportOf(message: HostMessage, programId: string) {
  const transports = message.type === 'readings' ? (message.transports ?? []) : []
  return transports.find((transport) => transport.programId === programId)
}

test('an API that follows a link gets the reports of its bus, and so does an API that follows it later', async () => {
  await using link = await openLink(seat())
  const [hello] = link.messages
  expect(hello).toMatchObject({ capabilities: { checksTransports: true } })
  const leg = { ip: '239.255.92.1', port: await freeUdpPort() }
  await link.ask('applyProgram', {
    programId: 'input-a',
    revision: 'r1',
    wanted: 'running',
    spec: {
      kind: 'receiver',
      local: { ...leg, ttl: 1 },
      outer: srtLeg('listen', await freeUdpPort()),
    },
  })
  await link.until((message) => message.type === 'program' && message.report.state === 'running')
  // Nobody calls this input: what comes on its bus is ours.
  await using _stream = sendStream(leg)
  const asked = { programIds: ['input-a', 'input-unknown'], forMs: 60_000 }
  expect(await link.ask('followTransports', asked)).toEqual({ followed: 1 })
  await link.until((message) => {
    const report = transportOf(message, 'input-a')?.report
    return (
      report?.state === 'measured' &&
      report.mode === 'continuous' &&
      report.pids.some(({ pid, format }) => pid === VIDEO_PID && format === 'H.264')
    )
  })
  await using late = await openLink(seat())
  await late.until((message) => transportOf(message, 'input-a')?.report?.state === 'measured')
  await link.ask('controlProgram', { programId: 'input-a', command: 'stop' })
  await link.until((message) => transportOf(message, 'input-a')?.report === null)
})
