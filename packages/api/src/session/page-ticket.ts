/**
 * Says whose page it is, so that its content policy names no server that they may not see. The
 * browser sends it with the page; it opens nothing: no call takes it in place of the token.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { cookieIn } from '@trunkline/contract/session/cookie.rules'

const NAME = 'trunkline_page'
const LIFE_S = 7 * 24 * 3600

/** A Set-Cookie header. `isTls`: as the guest came. */
export function pageTicket(secret: Buffer, sessionId: string, isTls: boolean): string {
  return `${NAME}=${sessionId}.${sealOf(secret, sessionId)}; Max-Age=${LIFE_S}${attributes(isTls)}`
}

export function noPageTicket(isTls: boolean): string {
  return `${NAME}=; Max-Age=0${attributes(isTls)}`
}

/** `header`: Cookie as it came. Null for none, or for a cookie that is not ours. */
export function sessionIdIn(secret: Buffer, header: string | undefined): string | null {
  const [sessionId = '', seal = ''] = (cookieIn(header, NAME) ?? '').split('.')
  const [given, wanted] = [Buffer.from(seal), Buffer.from(sealOf(secret, sessionId))]
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? sessionId : null
}

function attributes(isTls: boolean): string {
  return `; Path=/; HttpOnly; SameSite=Strict${isTls ? '; Secure' : ''}`
}

function sealOf(secret: Buffer, sessionId: string): string {
  return createHmac('sha256', secret).update(`page ${sessionId}`).digest('base64url')
}
