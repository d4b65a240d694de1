/** A list of supervisord that was made before an event, and comes after it. */
import { expect, test } from 'vitest'
import { eventually, openTestAgent } from '../agent.fixture.ts'

test('a list that is older than an event does not set a program back to what it was', async () => {
  await using agent = await openTestAgent()
  const { supervisor } = agent.ctx
  const { client } = supervisor
  await agent.apply('quick')
  await agent.apply('steady')
  await Promise.all([agent.untilRunning('quick'), agent.untilRunning('steady')])
  const stateOf = (id: string) => agent.ctx.board.find(id)?.state
  const list = await client.getAllProcessInfo()
  const ended = list.map((info) => ({ ...info, statename: 'EXITED', pid: 0 }))
  const comes = Promise.withResolvers<typeof list>()
  client.getAllProcessInfo = async () => comes.promise

  const reading = supervisor.refresh()
  const firstPid = agent.ctx.board.find('quick')?.pid
  await client.signalProcess('quick', 'TERM')
  await eventually(() => expect(agent.ctx.board.find('quick')?.pid).not.toBe(firstPid))
  await agent.untilRunning('quick')
  comes.resolve(ended)
  await reading
  // Of the other one nothing was heard: what the list says counts.
  expect([stateOf('quick'), stateOf('steady')]).toEqual(['running', 'exited'])
})
