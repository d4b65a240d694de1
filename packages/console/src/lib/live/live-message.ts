/** Server-Sent Events out of the bytes of an answer. */
import { EventSourceParserStream } from 'eventsource-parser/stream'

export interface LiveMessage {
  event?: string | undefined
  data: string
}

/** Ends with the stream; throws what breaks it. */
export async function* messagesOf(
  bytes: ReadableStream<Uint8Array>,
): AsyncGenerator<LiveMessage, void> {
  const events = bytes
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream())
  // ReadableStream is not iterable in every browser yet.
  const reader = events.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    reader.releaseLock()
  }
}
