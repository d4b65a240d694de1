/** The whole console in a test, at a path, in front of a fake network. */
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import {
  cleanup,
  configure,
  getConfig,
  render,
  screen,
  waitFor,
  within,
} from '@testing-library/react'
import { userEvent, type UserEvent } from '@testing-library/user-event'
import { readBackups } from '@trunkline/contract/backups/backup.calls'
import type { BackupState } from '@trunkline/contract/backups/backup.schema'
import { health } from '@trunkline/contract/fleet/fleet.calls'
import { signInWays } from '@trunkline/contract/session/oidc.calls'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import { askOnAir } from '@trunkline/contract/on-air/on-air.calls'
import { listScheduleMarks } from '@trunkline/contract/schedules/schedule.calls'
import type { Role } from '@trunkline/contract/roles'
import { jwtLogin, signOut } from '@trunkline/contract/session/session.calls'
import { expect, vi } from 'vitest'
import { Providers } from '../app/providers.tsx'
import { makeRouter } from '../app/router.tsx'
import { forgetTyping } from '../shared/kept/kept-typing.hook.ts'
import { forgetAwaited } from '../lib/answer/late-answer.ts'
import { closeOnAir } from '../lib/on-air.ts'
import { makeQueryClient } from '../lib/query-client.ts'
import { beginSession, endSession } from '../lib/session.ts'
import { storage } from '../lib/storage.ts'
import { clearToasts } from '../lib/toast.ts'
import { makeFakeApi, type FakeApi } from './fake-api.ts'
import { readStylesInline } from './inline-styles.ts'
import { keepNoOwnerStacks } from './owner-stacks.ts'
import { FOUND_WITHIN_MS } from './limits.ts'
import { answerListViews, forgetListViews } from './list-views.ts'
import { groupOf, userOf } from './samples.ts'

configure(({ getElementError }) => ({
  asyncUtilTimeout: FOUND_WITHIN_MS,
  // While something is waited for, an error is thrown at each look; only the last one is read.
  getElementError: (message, container) =>
    isWaiting()
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(message, container),
}))
readStylesInline()
keepNoOwnerStacks()

/** The library's own mark for a look that is repeated. */
function isWaiting(): boolean {
  return Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true
}

const noBackups: BackupState = {
  backups: [],
  folder: '/var/lib/trunkline/backups',
  nextAt: '2026-05-04T03:30:00.000Z',
  kept: 14,
  isOnSameDisk: false,
}

interface Scene {
  path: string
  /** Null for nobody signed in. */
  role: Role | null
  /** Answers beyond session, health and groups. */
  prepare?: (api: FakeApi) => void
}

export function renderConsole({ path, role, prepare }: Scene) {
  const api = makeFakeApi()
  api.on(health).answer(() => ({ status: true }))
  api.on(signInWays).answer(() => ({ status: true, provider: null }))
  api.on(askOnAir).answer(() => ({ status: true, data: null }))
  api.on(listScheduleMarks).answer(() => ({ status: true, data: [] }))
  api.on(readBackups).answer(() => ({ status: true, data: noBackups }))
  api.on(listGroups).answer(() => ({
    status: true,
    data: [groupOf('north', 'Sports North'), groupOf('south', 'Sports South')],
    total: 2,
  }))
  answerListViews(api)
  if (role !== null) {
    const user = userOf(role)
    api.on(jwtLogin).answer(() => ({ status: true, user, token: user.token }))
    api.on(signOut).answer(() => ({ status: true, signOutUrl: null }))
    beginSession(user, user.token)
  }
  prepare?.(api)
  const router = makeRouter(createMemoryHistory({ initialEntries: [path] }))
  const queryClient = makeQueryClient()
  const rendered = render(
    <Providers queryClient={queryClient} nonce="">
      <RouterProvider router={router} />
    </Providers>,
  )
  const user = operator()
  return { api, router, screen: rendered, user, pathname: () => router.state.location.pathname }
}

/**
 * Mouse and keyboard. `type` puts text in as one paste, which is one change of the page rather than
 * one a letter, and presses the keys in braces; `keyboard` presses letter by letter.
 */
function operator() {
  const user = userEvent.setup()
  const type = async (element: Element, text: string): Promise<void> => {
    await user.click(element)
    for (const part of text.split(/(\{[^}]+\})/).filter((part) => part !== '')) {
      await (part.startsWith('{') ? user.keyboard(part) : user.paste(part))
    }
  }
  return { ...user, type }
}

/** The notice with that text, and that second line, beside whatever dialog is open. */
export async function findNotice(text: string | RegExp, detail = ''): Promise<HTMLElement> {
  const notices = within(await screen.findByRole('region', { name: 'Notices' }))
  const title = await notices.findByText(text, { selector: ':not(small)' })
  if (detail !== '') within(title.parentElement ?? title).getByText(detail)
  return title
}

/** Presses that button of the question 'Are you sure?'. */
export async function answerQuestion(label: string): Promise<void> {
  const question = await screen.findByRole('dialog', { name: 'Are you sure?' })
  const button = within(question).getByRole('button', { name: label })
  // What it would interrupt may still be looked up.
  await waitFor(() => expect(button.getAttribute('aria-disabled')).not.toBe('true'))
  await userEvent.click(button)
}

/** What one does in the form of a page. `field`: that of a label. */
export function formSteps(user: UserEvent, field: (label: string) => Promise<HTMLElement>) {
  return {
    field,
    openTab: async (name: RegExp) => user.click(await screen.findByRole('tab', { name })),
    type: async (label: string, value: string) => {
      const element = await field(label)
      await user.clear(element)
      if (value !== '') await user.type(element, value)
    },
    choose: async (label: string, value: string) => user.selectOptions(await field(label), value),
    press: async (name: string) => user.click(await screen.findByRole('button', { name })),
    answer: answerQuestion,
  }
}

/** The signed-in operator has chosen to be asked before whatever interrupts a stream. */
export function chooseToBeAsked(): void {
  const user = storage.user.read()
  if (user !== null) storage.user.write({ ...user, asksBeforeInterrupting: true })
}

/**
 * Call after each test: what one account saw and stored is not the next test's. Throws where the test has
 * followed a link of the browser's own: the document of all tests of the process is gone then.
 */
export function resetConsole(): void {
  forgetListViews()
  cleanup()
  // A dialog that a test left open would open in the next.
  closeOnAir()
  endSession('')
  forgetTyping()
  forgetAwaited()
  clearToasts()
  localStorage.clear()
  vi.unstubAllGlobals()
  if (location.protocol !== 'http:') throw new Error(`The document has become ${location.href}.`)
  if (!vi.isFakeTimers()) return
  // The modules are the next file's too: a timer that one of them waits for must not be lost.
  vi.runOnlyPendingTimers()
  // What was shown is kept for a while, and its end is told a moment later.
  vi.runOnlyPendingTimers()
  vi.useRealTimers()
}
