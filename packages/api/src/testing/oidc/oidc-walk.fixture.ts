/** Sign-in by a provider for the walk over every change. */
import { endOidc } from '@trunkline/contract/session/oidc.calls'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { UserRecord } from '../../users/user.service.ts'
import type { Step } from '../change-walk.ts'
import type { TestSite } from '../test-site.ts'
import { answerOf, startHostileProvider } from './hostile-provider.fixture.ts'
import { oidcConfig } from './oidc-provider.fixture.ts'

/** The superadmin is from a provider meanwhile. */
export async function walkOidc({ app, ctx, people }: TestSite, step: Step): Promise<void> {
  await using provider = await startHostileProvider()
  const { id: subject, email } = people.superadmin
  setOidc(ctx, oidcConfig(provider.issuer))
  await setIdentity(ctx, subject, { issuer: provider.issuer, subject })
  const claims = { sub: subject, email, name: 'Test superadmin', roles: ['root'] }
  await step(endOidc, 'neither', { body: await answerOf(app, provider, claims) })
  setOidc(ctx, null)
  await setIdentity(ctx, subject, null)
}

/** Settings do not change while a process runs; the walk has one site for all calls. */
function setOidc({ config }: Context, oidc: Config['oidc']): void {
  Object.assign(config, { oidc })
}

async function setIdentity(
  ctx: Context,
  userId: string,
  provider: UserRecord['provider'],
): Promise<void> {
  await ctx.db
    .updateTable('users')
    .set({
      provider_issuer: provider?.issuer ?? null,
      provider_subject: provider?.subject ?? null,
    })
    .where('id', '=', userId)
    .execute()
}
