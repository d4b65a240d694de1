/**
 * Who may sign in and what they did: users, and for those who may read it, the record of activity. Under
 * it, what scripts need.
 */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { mayDo } from '@trunkline/contract/role-table'
import { useActivityFilter } from '../audit/activity-filter.hook.ts'
import { ActivityTab, ActivityTools } from '../audit/ActivityTab.tsx'
import { useRole } from '../lib/session.ts'
import { TablePage } from '../shared/list/TablePage.tsx'
import { ButtonLink } from '../shared/page/ButtonLink.tsx'
import { LaterPart } from '../shared/page/Later.tsx'
import { PageHead } from '../shared/page/PageHead.tsx'
import { Tabs } from '../ui/choice/Tabs.tsx'
import { Skeleton } from '../ui/notice/Skeleton.tsx'
import { useUserFilter } from '../users/list/user-filter.hook.ts'
import { UserTable, UserTools } from '../users/list/UserTable.tsx'
import { RequiredFactorButton } from '../users/required/RequiredFactorButton.tsx'
import { userTotalQuery } from '../users/user.queries.ts'
import { API_REFERENCE_PAGE, API_TOKENS_PAGE } from './api-pages.loader.ts'
import classes from './AccessPage.module.css'

const ROW_HEIGHT = 36
const PANEL_ID = 'access-panel'

export function AccessPage() {
  const hasActivity = mayDo(useRole(), 'readAudit')
  const { tab }: { tab?: unknown } = useSearch({ strict: false })
  const later = tab === 'tokens' ? API_TOKENS_PAGE : tab === 'reference' ? API_REFERENCE_PAGE : null
  if (later !== null) {
    const waiting = <Skeleton kind="row" count={6} height={ROW_HEIGHT} />
    return <LaterPart key={String(tab)} part={later} props={{}} waiting={waiting} />
  }
  return hasActivity ? <TabbedPage /> : <UsersOnly />
}

function UsersOnly() {
  const filter = useUserFilter(true)
  return (
    <TablePage>
      <PageHead
        title="Access"
        tools={
          <>
            <ApiLinks />
            <UserTools filter={filter} />
          </>
        }
      />
      <div className={classes.panel}>
        <UserTable filter={filter} />
      </div>
    </TablePage>
  )
}

function TabbedPage() {
  const [tab, setTab] = useTab()
  const users = useUserFilter(tab === 'users')
  const activity = useActivityFilter(tab === 'activity')
  const { data: total = null } = useQuery(userTotalQuery())
  return (
    <TablePage>
      <PageHead
        title="Access"
        views={
          <Tabs
            label="Access"
            panelId={PANEL_ID}
            tabs={[
              { value: 'users', label: 'Users', count: total },
              { value: 'activity', label: 'Activity', count: null },
            ]}
            value={tab}
            onChange={setTab}
          />
        }
        tools={
          tab === 'users' ? (
            <>
              <RequiredFactorButton />
              <ApiLinks />
              <UserTools filter={users} />
            </>
          ) : (
            <ActivityTools filter={activity} />
          )
        }
      />
      <div
        id={PANEL_ID}
        role="tabpanel"
        aria-label={tab === 'users' ? 'Users' : 'Activity'}
        className={classes.panel}
      >
        {tab === 'users' ? <UserTable filter={users} /> : <ActivityTab filter={activity} />}
      </div>
    </TablePage>
  )
}

function ApiLinks() {
  return (
    <>
      <ButtonLink to="/dashboard/userManager" search={{ tab: 'tokens' }} preload={false}>
        API tokens
      </ButtonLink>
      <ButtonLink to="/dashboard/userManager" search={{ tab: 'reference' }} preload={false}>
        API reference
      </ButtonLink>
    </>
  )
}

type Tab = 'users' | 'activity'

/** The tab stands in the address, so that it can be linked to and survives a reload. */
function useTab() {
  const search: { tab?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const tab: Tab = search.tab === 'activity' ? 'activity' : 'users'
  const setTab = (next: Tab) =>
    void navigate({ to: '.', search: next === 'users' ? {} : { tab: next }, replace: true })
  return [tab, setTab] as const
}
