/** GET /metrics of the host for Prometheus, at a port of its own with a key of its own. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { AgentConfig } from '@trunkline/contract/agent/agent-config.schema'
import { METRICS_PATH, METRICS_TYPE } from '@trunkline/contract/metrics/metric.rules'
import type { Context } from '../context.ts'
import { isSameSecret } from '../secret.ts'
import { HostMetrics } from './host-metrics.ts'

const HEADERS_MS = 10_000
const CONNECTIONS = 20

type MetricsConfig = NonNullable<AgentConfig['metrics']>

/** Throws a sentence when the port is taken. */
export async function openMetrics(
  ctx: Context,
  config: MetricsConfig,
): Promise<{ port: number } & AsyncDisposable> {
  const metrics = new HostMetrics(ctx)
  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: HEADERS_MS },
    (...call) => answer(metrics, config.key, ...call),
  )
  server.maxConnections = CONNECTIONS
  try {
    server.listen(config.port, config.listenIp)
    await once(server, 'listening')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The port ${config.port} of the metrics cannot be opened: ${why}`, {
      cause: error,
    })
  }
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      metrics[Symbol.dispose]()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function answer(
  metrics: HostMetrics,
  key: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [, given = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
  const [path] = (request.url ?? '').split('?')
  if (path !== METRICS_PATH || request.method !== 'GET') {
    end(response, 404, 'There is only GET /metrics here.\n')
  } else if (isSameSecret(given, key)) end(response, 200, metrics.text())
  else end(response, 401, 'Send the key of the metrics as Authorization: Bearer <key>.\n')
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' })
  response.end(text)
}
