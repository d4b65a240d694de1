/** Which component answers which path. Pages are loaded when they are first opened. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  type RouterHistory,
} from '@tanstack/react-router'
import { Redirect } from '../shared/page/Redirect.tsx'
import { PageFailed, PageOpening } from './PageState.tsx'
import { paths, type AreaKey } from './paths.ts'
import { SessionGate } from './SessionGate.tsx'

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => <Redirect to={paths.root} from="" />,
})

const LoginPage = lazyRouteComponent(async () => import('../session/LoginPage.tsx'), 'LoginPage')
const SignupPage = lazyRouteComponent(async () => import('../session/SignupPage.tsx'), 'SignupPage')

const login = createRoute({ getParentRoute: () => root, path: paths.login, component: LoginPage })
const signup = createRoute({
  getParentRoute: () => root,
  path: paths.signup,
  component: SignupPage,
})

/** Everything under it needs a session, and the role that its area asks for. */
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: SessionGate })

const DashboardPage = lazyRouteComponent(
  async () => import('../encoders/dashboard/EncoderDashboardPage.tsx'),
  'EncoderDashboardPage',
)

const ChannelsPage = lazyRouteComponent(
  async () => import('../channels/list/ChannelsPage.tsx'),
  'ChannelsPage',
)
const FleetPathsPage = lazyRouteComponent(
  async () => import('../paths/FleetPathsPage.tsx'),
  'FleetPathsPage',
)
const SignalPathPage = lazyRouteComponent(
  async () => import('../paths/SignalPathPage.tsx'),
  'SignalPathPage',
)
const WallPage = lazyRouteComponent(async () => import('../wall/WallPage.tsx'), 'WallPage')

const AlarmsPage = lazyRouteComponent(async () => import('../alarms/AlarmsPage.tsx'), 'AlarmsPage')

const NotificationsPage = lazyRouteComponent(
  async () => import('../notifications/NotificationsPage.tsx'),
  'NotificationsPage',
)

const ContributionsPage = lazyRouteComponent(
  async () => import('../contributions/ContributionsPage.tsx'),
  'ContributionsPage',
)

const GroupsPage = lazyRouteComponent(async () => import('../groups/GroupsPage.tsx'), 'GroupsPage')

const AccessPage = lazyRouteComponent(async () => import('./AccessPage.tsx'), 'AccessPage')

const ServersPage = lazyRouteComponent(
  async () => import('../servers/ServersPage.tsx'),
  'ServersPage',
)

const EncoderManagerPage = lazyRouteComponent(
  async () => import('../encoders/manager/EncoderManagerPage.tsx'),
  'EncoderManagerPage',
)

const EncoderConfigPage = lazyRouteComponent(
  async () => import('../encoders/config/EncoderConfigPage.tsx'),
  'EncoderConfigPage',
)

const InputConfigPage = lazyRouteComponent(
  async () => import('../contributions/forms/LinkConfigPages.tsx'),
  'InputConfigPage',
)

const OutputConfigPage = lazyRouteComponent(
  async () => import('../contributions/forms/LinkConfigPages.tsx'),
  'OutputConfigPage',
)

function inShell<const P extends string>(path: P, area: AreaKey, component: RouteComponent) {
  return createRoute({
    getParentRoute: () => shell,
    path,
    component,
    pendingComponent: PageOpening,
    staticData: { area },
  })
}

const routeTree = root.addChildren([
  login,
  signup,
  shell.addChildren([
    inShell(paths.root, 'dashboard', DashboardPage),
    inShell(paths.dashboard, 'dashboard', DashboardPage),
    inShell(paths.alarms, 'dashboard', AlarmsPage),
    inShell(paths.notifications, 'dashboard', NotificationsPage),
    inShell(paths.servers, 'servers', ServersPage),
    inShell(paths.groups, 'groups', GroupsPage),
    inShell(paths.access, 'access', AccessPage),
    inShell(paths.accessOther, 'access', AccessPage),
    inShell(paths.encoders, 'encoders', EncoderManagerPage),
    inShell(paths.encodersOther, 'encoders', EncoderManagerPage),
    inShell(paths.editEncoder, 'encoders', EncoderConfigPage),
    inShell(paths.editEncoderFromCard, 'encoders', EncoderConfigPage),
    inShell(paths.channels, 'channels', ChannelsPage),
    inShell(paths.wall, 'channels', WallPage),
    inShell(paths.signalPaths, 'dashboard', FleetPathsPage),
    inShell(paths.signalPath, 'dashboard', SignalPathPage),
    inShell(paths.contributions, 'contributions', ContributionsPage),
    inShell(paths.inputConfig, 'contributions', InputConfigPage),
    inShell(paths.newOutput, 'contributions', OutputConfigPage),
    inShell(paths.editOutput, 'contributions', OutputConfigPage),
  ]),
])

/** A page that is loaded by then opens without a word in between. */
const OPENING_AFTER_MS = 200

export function makeRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultPendingMs: OPENING_AFTER_MS,
    defaultErrorComponent: PageFailed,
    ...(history === undefined ? {} : { history }),
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
  interface StaticDataRouteOption {
    /** Which tab is lit, and whose right it needs. */
    area?: AreaKey
  }
  interface HistoryState {
    /** Where an operator wanted to go before signing in (Q9). */
    from?: string
  }
}
