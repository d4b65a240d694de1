/** The two requests of the live stream, as the shared worker and a page without one make them. */
import { messagesOf } from './live-message.ts'
import type { Answer, LiveRequest } from './live-sharing.ts'

/** Throws what fetch throws. */
export async function openStream(request: LiveRequest, signal: AbortSignal): Promise<Answer> {
  const response = await post(request, signal)
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (response.ok && isStream && response.body) return { bytes: messagesOf(response.body) }
  return { status: response.status, body: await response.json().catch(() => null) }
}

/** @returns the status of the answer; null for none */
export async function sendWatched(
  request: LiveRequest,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    return (await post(request, signal)).status
  } catch {
    return null
  }
}

async function post({ url, headers, body }: LiveRequest, signal: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    cache: 'no-store',
    signal,
  })
}
