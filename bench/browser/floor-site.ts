/** Serves the floor page, bundled and compressed, and pushes changes of its rows. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { WebSocketServer } from 'ws'

const PAGE =
  '<!doctype html><meta charset="utf-8"><title>Floor</title><div id="root"></div><script type="module" src="/page.js"></script>'

export interface FloorSite extends AsyncDisposable {
  readonly url: string
  /** With changes as `push` sends them. */
  readonly liveUrl: string
  readonly scriptGzipKb: number
  /** Numbers of rows that changed. */
  push(changed: readonly number[]): void
}

export async function openFloorSite(): Promise<FloorSite> {
  const script = await bundled()
  const [packedPage, packedScript] = [PAGE, script].map((text) => brotliCompressSync(text))
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.writeHead(200, {
      'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8',
      'content-encoding': 'br',
    })
    response.end(isScript ? packedScript : packedPage)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const live = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  await once(live, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    url,
    liveUrl: `${url}?live=${(live.address() as AddressInfo).port}`,
    scriptGzipKb: gzipSync(script).length / 1000,
    push(changed) {
      const text = JSON.stringify(changed)
      for (const socket of live.clients) socket.send(text)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of live.clients) socket.terminate()
      live.close()
      server.closeAllConnections()
      server.close()
      await Promise.all([once(live, 'close'), once(server, 'close')])
    },
  }
}

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'floor-page.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles[0]?.text ?? ''
}
