/** The console in a browser of its own, cold, as somebody who is signed in. */
import type { Browser, BrowserContext } from '@playwright/test'

export interface Session {
  user: object
  token: string
}

export async function sessionAt(
  url: string,
  { email, password }: { email: string; password: string },
): Promise<Session> {
  const answer = await fetch(`${url}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(`Nobody is signed in: ${await answer.text()}`)
  const { user, token } = (await answer.json()) as Session
  return { user, token }
}

/** `entries`: more of the local storage. */
export async function openSignedIn(
  browser: Browser,
  { user, token }: Session,
  entries: Readonly<Record<string, string>> = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript(
    (stored) => {
      for (const [name, text] of Object.entries(stored)) localStorage.setItem(name, text)
    },
    { ...entries, user: JSON.stringify(user), token },
  )
  return context
}
