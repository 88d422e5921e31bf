// The screens that the reader may see, as links.
import { Link, useMatchRoute } from '@tanstack/react-router';
import { useMenu } from './use-menu';

export function MenuList({ onSelect }: { readonly onSelect: () => void }) {
  // A charger is of the fleet, whose path is the beginning of every other one.
  const isAtCharger = useMatchRoute()({ to: '/chargers/$chargerId' }) !== false;
  return (
    <ul className="menu-list">
      {useMenu().map(({ path, label, icon: Icon }) => (
        <li key={path}>
          <Link
            to={path}
            className="menu-link"
            aria-current={path === '/' && isAtCharger ? 'page' : undefined}
            activeProps={{ 'aria-current': 'page' }}
            activeOptions={{ exact: path === '/', includeSearch: false }}
            onClick={onSelect}
          >
            <Icon aria-hidden />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
