/** The application: what every request passes, then one line per feature. */
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { alarmRoutes } from './alarms/alarm.routes.ts'
import { maintenanceRoutes } from './alarms/maintenance/maintenance.routes.ts'
import { overrideRoutes } from './alarms/overrides/override.routes.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { backupRoutes } from './backup/backup.routes.ts'
import { channelRoutes } from './channels/channel.routes.ts'
import type { Context } from './context.ts'
import { enrolmentRoutes } from './enrolment/enrolment.routes.ts'
import { eventRoutes } from './events/event.routes.ts'
import { notificationRoutes } from './notifications/notification.routes.ts'
import { destinationRoutes } from './links/destinations/destination.routes.ts'
import { historyRoutes } from './links/history/history.routes.ts'
import { linkTestRoutes } from './link-tests/link-test.routes.ts'
import { transportHistoryRoutes } from './links/transport/transport-history.routes.ts'
import { linkRoutes } from './links/link.routes.ts'
import { serverChangeRoutes } from './links/server-change/server-change.routes.ts'
import { pathRoutes } from './paths/path.routes.ts'
import { openApiRoutes } from './open-api/open-api.routes.ts'
import { metricsRoutes } from './metrics/metrics.routes.ts'
import { measureRequests } from './metrics/request-times.ts'
import { onAirRoutes } from './on-air/on-air.routes.ts'
import { scheduleRoutes } from './schedules/schedule.routes.ts'
import { encoderRoutes } from './encoders/encoder.routes.ts'
import { templateRoutes } from './encoders/templates/template.routes.ts'
import { liveRoutes } from './fleet/live/live.routes.ts'
import { groupRoutes } from './groups/group.routes.ts'
import {
  endStalledAnswers,
  limitConnections,
  REQUEST_LIMITS,
  type RequestLimits,
} from './http/connection-limits.ts'
import { flushRefusals } from './audit/refusals.service.ts'
import { nameRequests, newRequestId } from './request-id.ts'
import { installErrorHandler, sendFailure } from './http/error-handler.ts'
import { takeJsonBodies } from './http/json-body.ts'
import { installSecurityHeaders } from './http/security-headers.ts'
import { serveConsole } from './http/console/static.ts'
import { answerUnknownPaths, watchPaths } from './http/unknown-path.ts'
import { searchRoutes } from './search/search.routes.ts'
import { serverRoutes } from './servers/server.routes.ts'
import { oidcRoutes } from './session/oidc/oidc.routes.ts'
import { sessionRoutes } from './session/session.routes.ts'
import { listViewRoutes } from './users/list-views/list-view.routes.ts'
import { passkeyRoutes } from './users/passkeys/passkey.routes.ts'
import { secondFactorRoutes } from './users/second-factor/second-factor.routes.ts'
import { userRoutes } from './users/user.routes.ts'

/** Names of outputs are up to 160 characters, and each may be three in percent-encoding. */
const PARAM_CHARACTERS = 480

export async function buildApp(
  ctx: Context,
  limits: RequestLimits = REQUEST_LIMITS,
): Promise<FastifyInstance> {
  const log: FastifyBaseLogger = ctx.log
  const app = fastify({
    loggerInstance: log,
    genReqId: newRequestId,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    requestTimeout: limits.requestMs,
    http: { headersTimeout: limits.headersMs, connectionsCheckingInterval: limits.checkMs },
    // Live streams stay open: at the end they are cut, not waited for.
    forceCloseConnections: true,
    trustProxy: ctx.config.trustedProxies.length > 0 && [...ctx.config.trustedProxies],
    routerOptions: { maxParamLength: PARAM_CHARACTERS },
    frameworkErrors: (error, request, reply) => sendFailure(request, reply, error),
  })
  limitConnections(app.server, ctx.config, log)
  endStalledAnswers(app, limits)
  app.addHook('onClose', async () => flushRefusals(ctx))
  nameRequests(app)
  installErrorHandler(app)
  installSecurityHeaders(app)
  takeJsonBodies(app)
  const methodsOf = watchPaths(app)
  const requests = measureRequests(app)

  sessionRoutes(app, ctx)
  oidcRoutes(app, ctx)
  userRoutes(app, ctx)
  secondFactorRoutes(app, ctx)
  listViewRoutes(app, ctx)
  passkeyRoutes(app, ctx)
  groupRoutes(app, ctx)
  serverRoutes(app, ctx)
  enrolmentRoutes(app, ctx)
  encoderRoutes(app, ctx)
  templateRoutes(app, ctx)
  channelRoutes(app, ctx)
  linkRoutes(app, ctx)
  destinationRoutes(app, ctx)
  serverChangeRoutes(app, ctx)
  historyRoutes(app, ctx)
  transportHistoryRoutes(app, ctx)
  eventRoutes(app, ctx)
  pathRoutes(app, ctx)
  searchRoutes(app, ctx)
  linkTestRoutes(app, ctx)
  alarmRoutes(app, ctx)
  maintenanceRoutes(app, ctx)
  overrideRoutes(app, ctx)
  notificationRoutes(app, ctx)
  onAirRoutes(app, ctx)
  scheduleRoutes(app, ctx)
  backupRoutes(app, ctx)
  auditRoutes(app, ctx)
  liveRoutes(app, ctx)
  openApiRoutes(app, ctx)
  metricsRoutes(app, ctx, requests)

  answerUnknownPaths(app, methodsOf, await serveConsole(app, ctx))
  await app.ready()
  return app
}
