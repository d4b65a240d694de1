/**
 * The link test of this host: one at a time, of which it may have both ends. Each end runs in a thread
 * of its own, and ends by itself: by the time, by the other end's silence, or when nobody reads it.
 */
import {
  LINK_TEST_KEPT_MS,
  LINK_TEST_UNREAD_MS,
  type CallLinkTest,
  type LinkTestEnd,
  type LinkTestRef,
  type LinkTestReport,
  type OpenLinkTest,
} from '@trunkline/contract/agent/link-test.messages'
import { CommandRefused } from '../commands/refused.ts'
import { claimPort, type ClaimedPort } from '../host/port-claim.ts'
import { LinkTestThread, type TestTask } from './link-test-thread.ts'

export class LinkTestUnknown extends Error {
  constructor() {
    super('This host has no such link test: it ended a while ago, or the agent was restarted.')
  }
}

interface HeldTest {
  testId: string
  thread: LinkTestThread
  /** Of the responder. */
  port: ClaimedPort | null
  /** Ends it when nobody reads it, and forgets it some time after its end. */
  timer: NodeJS.Timeout
}

const BUSY =
  'This host is running another link test. A host runs one at a time: try again when it has ended.'

export class LinkTests implements AsyncDisposable {
  readonly #held = new Map<LinkTestEnd, HeldTest>()
  /** Of the test whose end is being opened. */
  #opening: string | null = null

  async open(asked: OpenLinkTest): Promise<{ port: number }> {
    const { port } = asked
    await this.#begin({ end: 'responder', asked }, async () => {
      const claimed = await claimPort('udp', port)
      if (claimed !== null) return claimed
      throw new CommandRefused(
        `UDP port ${port} is used by another program of this host. Choose another port.`,
      )
    })
    return { port }
  }

  async call(asked: CallLinkTest): Promise<{ called: boolean }> {
    await this.#begin({ end: 'caller', asked }, async () => null)
    return { called: true }
  }

  /** Whoever reads it wants it to go on. */
  read(ref: LinkTestRef): LinkTestReport {
    const test = this.#find(ref)
    if (!test.thread.isOver) test.timer.refresh()
    return test.thread.report
  }

  end(ref: LinkTestRef): { ended: boolean } {
    const { thread } = this.#find(ref)
    const ended = !thread.isOver
    if (ended) thread.end('cancelled')
    return { ended }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#held.keys()) await this.#forget(end)
  }

  async #begin(task: TestTask, claim: () => Promise<ClaimedPort | null>): Promise<void> {
    const { end, asked } = task
    const { testId } = asked
    this.#assertIdle(testId, end)
    this.#opening = testId
    try {
      await this.#forget(end)
      const port = await claim()
      const thread = new LinkTestThread(task, () => this.#ended(end, testId))
      const timer = setTimeout(() => thread.end('unread'), LINK_TEST_UNREAD_MS)
      this.#held.set(end, { testId, thread, port, timer })
      await thread.opened()
      if (thread.report.outcome !== 'failed') return
      await this.#forget(end)
      throw new CommandRefused(`The test could not be started: ${thread.report.fault}.`)
    } finally {
      this.#opening = null
    }
  }

  #assertIdle(testId: string, end: LinkTestEnd): void {
    const isOther = (id: string) => id !== testId
    const isBusy = [...this.#held].some(
      ([heldEnd, held]) => !held.thread.isOver && (isOther(held.testId) || heldEnd === end),
    )
    if (isBusy || this.#opening !== null) throw new CommandRefused(BUSY)
  }

  #find({ testId, end }: LinkTestRef): HeldTest {
    const held = this.#held.get(end)
    if (held?.testId !== testId) throw new LinkTestUnknown()
    return held
  }

  #ended(end: LinkTestEnd, testId: string): void {
    const held = this.#held.get(end)
    if (held?.testId !== testId) return
    clearTimeout(held.timer)
    held.timer = setTimeout(() => void this.#forget(end), LINK_TEST_KEPT_MS).unref()
    void held.port?.[Symbol.asyncDispose]()
    held.port = null
  }

  async #forget(end: LinkTestEnd): Promise<void> {
    const held = this.#held.get(end)
    this.#held.delete(end)
    if (held === undefined) return
    clearTimeout(held.timer)
    await held.thread[Symbol.asyncDispose]()
    await held.port?.[Symbol.asyncDispose]()
  }
}
