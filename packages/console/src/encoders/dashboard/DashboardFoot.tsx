import { DASHBOARD_PAGE_SIZES } from '@trunkline/contract/encoders/encoder.schema'
import { Pager } from '../../ui/table/Pager.tsx'
import type { Dashboard } from './dashboard.hook.ts'
import classes from './DashboardFoot.module.css'

/** How to read the little charts, and the pager; without pages while a search is on (Q72). */
export function DashboardFoot({ dashboard }: { dashboard: Dashboard }) {
  return (
    <div className={classes.foot}>
      <p>Bitrate: last 5 min, dashed line is the mux rate.</p>
      {dashboard.pagedTotal > 0 && (
        <Pager
          page={dashboard.page}
          rowsPerPage={dashboard.rows}
          sizes={DASHBOARD_PAGE_SIZES}
          total={dashboard.pagedTotal}
          onPage={dashboard.setPage}
          onRowsPerPage={dashboard.setRows}
        />
      )}
    </div>
  )
}
