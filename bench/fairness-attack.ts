/** A thread of the fairness bench: keeps so many calls under way, and answers at the end how they were answered. */
import { parentPort, workerData } from 'node:worker_threads'

export interface Attack {
  url: string
  token: string
  atOnce: number
}

const { url, token, atOnce } = workerData as Attack
const headers = { authorization: `Bearer ${token}` }
const answers: Record<string, number> = {}
const ending = new AbortController()
const { signal } = ending

parentPort?.once('message', () => ending.abort())
await Promise.all(Array.from({ length: atOnce }, keepCalling))
parentPort?.postMessage(answers)

async function keepCalling(): Promise<void> {
  try {
    while (!signal.aborted) {
      const response = await fetch(url, { headers, signal })
      for await (const _ of response.body ?? []) continue
      answers[response.status] = (answers[response.status] ?? 0) + 1
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
