import { expect, onTestFinished, test } from 'vitest'
import { addTestEncoder, openTestSite } from '../../testing/test-site.ts'

test('T11 what a host says of a program of another host counts for nothing', async () => {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const { id } = await addTestEncoder(site, 0)
  const wanted = [...site.ctx.programs.allWanted()].find((each) => each.id === id)
  const programId = wanted?.programId ?? ''
  const own = site.encoderHost.programs.get(programId)
  if (wanted === undefined || own === undefined) throw new Error('The encoder is on its host.')
  const restarts: string[] = []
  const stopListening = site.ctx.board.listen((event) => {
    if (event.event === 'restart') restarts.push(event.data.cause)
  })
  onTestFinished(stopListening)
  await site.linkHost.linked()
  const before = site.ctx.board.look(wanted)

  const nowMs = Date.now()
  const report = { ...own, state: 'fatal' as const, cause: 'Forged', restarts: 9 }
  site.linkHost.tell({ type: 'program', nowMs, report })
  site.linkHost.tell({ type: 'restart', programId, atMs: nowMs, restarts: 9, cause: 'Forged' })
  site.linkHost.tell({ type: 'removed', programId })
  // Its answer comes behind what it said before.
  const address = { host: '127.0.0.1', port: site.linkHost.port }
  await site.ctx.hosts.call(address, 'probePort', { port: 6000 })
  expect(site.ctx.board.look(wanted)).toEqual(before)

  site.encoderHost.tell({ type: 'restart', programId, atMs: nowMs, restarts: 1, cause: 'Its own' })
  const encoderAddress = { host: '127.0.0.1', port: site.encoderHost.port }
  await site.ctx.hosts.call(encoderAddress, 'probePort', { port: 6000 })
  expect(restarts).toEqual(['Its own'])
})
