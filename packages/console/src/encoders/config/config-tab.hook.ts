/** Which tab is open: it stands in the address, so that it can be linked to and survives a reload. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { storage } from '../../lib/storage.ts'
import { TABS, type Tab } from './config-field.rules.ts'

export function useTab() {
  const search: { tab?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const isFeederAsked = useFeederFlag()
  const asked = TABS.find((tab) => tab === search.tab) ?? null
  const tab: Tab = asked ?? (isFeederAsked ? 'feeder' : 'video')
  const setTab = (next: Tab) => void navigate({ to: '.', search: { tab: next }, replace: true })
  return [tab, setTab] as const
}

/** CFG-05: after a feeder was added, changed or deleted the page opens on Feeder, once. */
function useFeederFlag(): boolean {
  const [isSet] = useState(() => storage.feederTab.read() === true)
  useEffect(() => storage.feederTab.clear(), [])
  return isSet
}
