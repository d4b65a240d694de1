import { DASHBOARD_PAGE_SIZES } from '@trunkline/contract/encoders/encoder.schema'
import { Pager } from '../ui/Pager.tsx'
import type { Dashboard } from './dashboard.hook.ts'
import classes from './DashboardFoot.module.css'

/** How to read the little charts, and the pager; without pages while a search or a view is on (Q72). */
export function DashboardFoot({ dashboard }: { dashboard: Dashboard }) {
  const hasPages = dashboard.search === '' && dashboard.show === 'all' && dashboard.total > 0
  return (
    <div className={classes.foot}>
      <p>Bitrate: last 5 min, dashed line is the mux rate.</p>
      {hasPages && (
        <Pager
          page={dashboard.page}
          rowsPerPage={dashboard.rows}
          sizes={DASHBOARD_PAGE_SIZES}
          total={dashboard.total}
          onPage={dashboard.setPage}
          onRowsPerPage={dashboard.setRows}
        />
      )}
    </div>
  )
}
