/** Headers of every answer, and the page's content policy (decisions.md 21). */
import type { FastifyInstance } from 'fastify'

export const EVERY_ANSWER: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** A year. Told over TLS only, which is a trusted proxy's: elsewhere browsers ignore it, and it would be no truth. */
const ALWAYS_TLS = 'max-age=31536000'

/** An answer of the API is data: should a browser ever show it as a page, it may do nothing. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

export function installSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(EVERY_ANSWER)
    if (request.protocol === 'https') reply.header('strict-transport-security', ALWAYS_TLS)
    if (request.url.startsWith('/api/')) {
      reply.headers({ 'content-security-policy': DATA_POLICY, 'cache-control': 'no-store' })
    }
    done()
  })
}

/** `mediaOrigins`: of the channel servers, whose playlists a player may load directly. */
export function pagePolicy(nonce: string, mediaOrigins: readonly string[]): string {
  const media = mediaOrigins.map((origin) => ` ${origin}`).join('')
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' blob: data:",
    `media-src 'self' blob:${media}`,
    "worker-src 'self' blob:",
    `connect-src 'self'${media}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // The console's one policy is app/trusted-types.ts.
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
}
