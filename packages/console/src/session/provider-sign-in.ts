/** Sign-in by the provider of the site: what comes back from there (ADR 0069). */
import { endOidc } from '@trunkline/contract/session/oidc.calls'
import { sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { beginSession } from '../lib/session.ts'
import { storage } from '../lib/storage.ts'
import { forgetSignOutUrl } from './provider-sign-out.ts'
import { BEGUN_ELSEWHERE, PROVIDER_FAILED } from './session.messages.ts'

/** Of the address that the provider sent this browser to: 'code=…&state=…'; null for any other. */
export function providerAnswer({ hash, searchStr }: { hash: string; searchStr: string }) {
  const isAnswer = (text: string) => {
    const given = new URLSearchParams(text)
    return given.has('state') && (given.has('code') || given.has('error'))
  }
  return [hash.replace(/^#/, ''), searchStr.replace(/^\?/, '')].find(isAnswer) ?? null
}

/** Where `goToProvider` was called from; '' for nowhere in particular. */
export function pageBeforeProvider(): string {
  return storage.providerSignIn.read()?.from ?? ''
}

/** What runs: React calls an effect twice while it is being developed, and the answer counts once. */
let running: { answer: string; ended: Promise<string> } | null = null

/** Signs in. Answers '' then, and otherwise why not; never throws. */
export async function endAtProvider(answer: string): Promise<string> {
  if (running?.answer !== answer) running = { answer, ended: endOnce(answer) }
  return running.ended
}

async function endOnce(answer: string): Promise<string> {
  const begun = storage.providerSignIn.read()
  storage.providerSignIn.clear()
  if (begun === null) return BEGUN_ELSEWHERE
  try {
    const body = { answer, binding: begun.binding }
    const { user, token, signOutUrl } = await call(endOidc, { body })
    beginSession(user, token)
    forgetSignOutUrl()
    if (signOutUrl !== null) storage.providerSignOut.write(signOutUrl)
    return ''
  } catch (error) {
    return sentenceFor(error, PROVIDER_FAILED)
  }
}
