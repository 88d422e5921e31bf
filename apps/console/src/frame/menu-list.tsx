// The screens that the reader may see, as links.
import { Link } from '@tanstack/react-router';
import { useMenu } from './use-menu';

export function MenuList({ onSelect }: { readonly onSelect: () => void }) {
  return (
    <ul className="menu-list">
      {useMenu().map(({ path, label, icon: Icon }) => (
        <li key={path}>
          <Link
            to={path}
            className="menu-link"
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
