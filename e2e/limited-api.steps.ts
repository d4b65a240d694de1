/** An API of a test's own, without hosts, that counts sign-ins as strictly as the product does. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startOwnProcess } from '@trunkline/testbed/child'
import { SUPERADMIN_EMAIL } from '@trunkline/testbed/demo-site'
import { entryOf } from '@trunkline/testbed/site-processes'
import { PASSWORD } from './site.fixture.ts'

export interface LimitedApi extends AsyncDisposable {
  url: string
}

/** Takes that many tries a minute for one account from one address. `more`: further settings. */
export async function openLimitedApi(
  limit: number,
  more: Readonly<Record<string, string>> = {},
): Promise<LimitedApi> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-e2e-'))
  const secretFile = `${dataDir}.key`
  const api = await startOwnProcess({
    name: 'The API',
    node: process.execPath,
    args: [entryOf('api')],
    env: {
      PATH: process.env['PATH'] ?? '',
      TRUNKLINE_PORT: '0',
      TRUNKLINE_LISTEN_IP: '127.0.0.1',
      TRUNKLINE_DATA_DIR: dataDir,
      TRUNKLINE_SECRET_FILE: secretFile,
      TRUNKLINE_ADMIN_EMAIL: SUPERADMIN_EMAIL,
      TRUNKLINE_ADMIN_PASSWORD: PASSWORD,
      TRUNKLINE_SIGN_IN_LIMIT: String(limit),
      ...more,
    },
    onOutput: () => {},
  })
  return {
    url: `http://127.0.0.1:${api.port}`,
    async [Symbol.asyncDispose]() {
      await api.stop()
      rmSync(dataDir, { recursive: true, force: true })
      rmSync(secretFile, { force: true })
    },
  }
}
