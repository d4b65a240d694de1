/** How every call of the contract is tried. In this order: the later ones move things onto hidden servers. */
import { ALARM_RECIPES } from './alarms.ts'
import { BACKUP_RECIPES } from './backups.ts'
import { API_TOKEN_RECIPES } from './api-tokens.ts'
import { COPY_RECIPES } from './copies.ts'
import { ENROLMENT_RECIPES } from './enrolment.ts'
import { EVENT_RECIPES } from './events.ts'
import { FEEDER_PORT_RECIPES } from './feeders.ts'
import { HISTORY_RECIPES } from './history.ts'
import { INPUT_RECIPES } from './inputs.ts'
import { LINK_TEST_RECIPES } from './link-tests.ts'
import { LIST_VIEW_RECIPES } from './list-views.ts'
import { MOVE_RECIPES } from './moves.ts'
import { NOTIFICATION_RECIPES } from './notifications.ts'
import { ON_AIR_RECIPES } from './on-air.ts'
import { OUTPUT_RECIPES } from './outputs.ts'
import { PLACE_RECIPES } from './places.ts'
import { REMOVAL_RECIPES } from './removals.ts'
import { SCHEDULE_RECIPES } from './schedules.ts'
import { SECOND_FACTOR_RECIPES } from './second-factors.ts'
import { OIDC_RECIPES } from './sign-in-provider.ts'
import { SEARCH_RECIPES } from './search.ts'
import { WORK_RECIPES } from './work.ts'
import type { Recipe } from './rules.ts'

export const RECIPES: readonly Recipe[] = [
  ...PLACE_RECIPES,
  ...WORK_RECIPES,
  ...FEEDER_PORT_RECIPES,
  ...REMOVAL_RECIPES,
  ...COPY_RECIPES,
  ...INPUT_RECIPES,
  ...OUTPUT_RECIPES,
  ...MOVE_RECIPES,
  ...HISTORY_RECIPES,
  ...EVENT_RECIPES,
  ...SEARCH_RECIPES,
  ...LINK_TEST_RECIPES,
  ...ALARM_RECIPES,
  ...NOTIFICATION_RECIPES,
  ...ON_AIR_RECIPES,
  ...SCHEDULE_RECIPES,
  ...API_TOKEN_RECIPES,
  ...SECOND_FACTOR_RECIPES,
  ...LIST_VIEW_RECIPES,
  ...OIDC_RECIPES,
  ...ENROLMENT_RECIPES,
  ...BACKUP_RECIPES,
]
