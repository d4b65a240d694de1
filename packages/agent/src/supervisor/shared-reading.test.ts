/** supervisord reads all files at each reading: what comes meanwhile shares the next. */
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eventually, openTestAgent } from '../agent.fixture.ts'
import * as programService from '../programs/program.service.ts'

const PROGRAM_IDS = Array.from({ length: 12 }, (_, index) => `many-${index}`)

test('twelve programs at once take two readings, their removal takes none', async () => {
  await using agent = await openTestAgent()
  const { client, layout } = agent.ctx.supervisor
  const read = client.reloadConfig.bind(client)
  const sectionsAreWritten = Promise.withResolvers<undefined>()
  let readings = 0
  client.reloadConfig = async () => {
    readings += 1
    await sectionsAreWritten.promise
    return read()
  }

  const added = PROGRAM_IDS.map(async (programId) => agent.apply(programId))
  await eventually(() => expect(readdirSync(layout.sectionsDir)).toHaveLength(PROGRAM_IDS.length))
  sectionsAreWritten.resolve(undefined)
  await Promise.all(added)
  await Promise.all(PROGRAM_IDS.map(async (programId) => agent.untilRunning(programId)))
  expect(readings).toBe(2)

  const { STREAMS_OWNER } = programService
  await Promise.all(
    PROGRAM_IDS.map(async (programId) =>
      programService.remove(agent.ctx, STREAMS_OWNER, programId),
    ),
  )
  expect(await client.getAllProcessInfo()).toHaveLength(1)
  expect(readings).toBe(2)

  await agent.apply('many-0', { argv: ['sleep', '2000'] })
  expect((await agent.untilRunning('many-0')).restarts).toBe(0)
})
