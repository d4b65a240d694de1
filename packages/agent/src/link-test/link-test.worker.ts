/**
 * An end of a link test in a thread of its own: the agent's work makes no packet late, and the packets
 * hold up no command. It ends with the test.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { TestMessage, TestOrder, TestTask } from './link-test-thread.ts'
import { TestCaller } from './test-caller.ts'
import { TestResponder } from './test-responder.ts'

function send(message: TestMessage): void {
  parentPort?.postMessage(message)
  if (message.type === 'report' && message.report.outcome !== null) parentPort?.close()
}

function begin(task: TestTask): TestCaller | TestResponder {
  const hooks = [
    () => send({ type: 'open' }),
    (report: Extract<TestMessage, { type: 'report' }>['report']) =>
      send({ type: 'report', report }),
  ] as const
  return task.end === 'caller'
    ? new TestCaller(task.asked, ...hooks)
    : new TestResponder(task.asked, ...hooks)
}

const end = begin(workerData as TestTask)
parentPort?.on('message', ({ outcome }: TestOrder) => end.end(outcome))
