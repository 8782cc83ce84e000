//! Small schemas in the manners that servers have.

/// Plain types and arguments, keys as the author pleased.
pub(crate) const LIBRARY: &str = r"
type Query {
  author(id: ID!): Author
  authors: [Author!]!
  book(id: ID!): Book
  books(authorId: ID, ids: [ID!]): [Book!]!
  me: Member
  tenant(name: String!): Tenant
}
type Mutation {
  addAuthor(name: String!): Author!
  addBook(book: BookInput!): Book!
  updateBook(id: ID!, book: BookPatch!): Book
  deleteBook(bookId: ID!): Boolean!
  lendBook(book: ID!, member: ID!, note: String): Loan!
  tagBook(bookId: ID!, tagIds: [ID!]!): Book
  addTag(label: String!): Tag!
  createTenant(name: String!, color: Color): Boolean!
  createMember(input: MemberInput!): ID!
  removeMember(memberId: ID!): Boolean
  rateBook(isbnKey: String!, stars: Int!): Int
}
enum Color { RED BLUE }
input BookInput { id: ID title: String! authorId: ID! parent: BookRef color: Color }
input BookPatch { id: ID title: String authorId: ID }
input BookRef { id: ID! }
input MemberInput { name: String! email: String }
type Author { id: ID! name: String! books: [Book!]! }
type Book { id: ID! title: String! isbnKey: String author: Author! tags: [Tag!]! }
type Loan { id: ID! book: Book! member: Member! }
type Member { id: ID! name: String! }
type Tag { id: ID! label: String! }
type Tenant { name: String! color: Color }
";

/// Relay's connections, payloads and `node`.
pub(crate) const RELAY: &str = r"
interface Node { id: ID! }
type Query {
  node(id: ID!): Node
  ships(first: Int, after: String): ShipConnection
  ship(id: ID!): Ship
}
type Mutation {
  introduceShip(input: IntroduceShipInput!): IntroduceShipPayload
  createShip(input: CreateShipInput!): CreateShipPayload
  createFaction(input: CreateFactionInput!): CreateFactionPayload
  removeShip(input: RemoveShipInput!): RemoveShipPayload
}
input IntroduceShipInput { factionId: ID! shipName: String! clientMutationId: String! }
input CreateShipInput { name: String! faction: ID! clientMutationId: String! }
input CreateFactionInput { name: String! clientMutationId: String! }
input RemoveShipInput { id: ID! clientMutationId: String! }
type IntroduceShipPayload { ship: Ship faction: Faction clientMutationId: String! }
type CreateShipPayload { shipEdge: ShipEdge clientMutationId: String! }
type CreateFactionPayload { faction: Faction clientMutationId: String! }
type RemoveShipPayload { removedShipId: ID ship: Ship clientMutationId: String! }
type Faction implements Node { id: ID! name: String ships: ShipConnection }
type Ship implements Node { id: ID! name: String }
type ShipConnection { edges: [ShipEdge] pageInfo: PageInfo! }
type ShipEdge { node: Ship cursor: String! }
type PageInfo { hasNextPage: Boolean! endCursor: String }
";

/// A database behind it: a key of the row and a key of the node.
pub(crate) const POSTGRAPHILE: &str = r"
interface Node { nodeId: ID! }
scalar Cursor
type Query implements Node {
  query: Query!
  nodeId: ID!
  node(nodeId: ID!): Node
  allUsers(first: Int, after: Cursor, condition: UserCondition): UsersConnection
  allPosts(first: Int, condition: PostCondition): PostsConnection
  userById(id: Int!): User
  userByEmail(email: String!): User
  user(nodeId: ID!): User
  postById(id: Int!): Post
}
type Mutation {
  createUser(input: CreateUserInput!): CreateUserPayload
  createPost(input: CreatePostInput!): CreatePostPayload
  updateUser(input: UpdateUserInput!): UpdateUserPayload
  updateUserById(input: UpdateUserByIdInput!): UpdateUserPayload
  deleteUser(input: DeleteUserInput!): DeleteUserPayload
  deleteUserById(input: DeleteUserByIdInput!): DeleteUserPayload
}
input UserCondition { id: Int email: String }
input PostCondition { id: Int authorId: Int }
input UserInput { id: Int email: String! name: String }
input UserPatch { id: Int email: String name: String }
input PostInput { id: Int authorId: Int! title: String! }
input CreateUserInput { clientMutationId: String user: UserInput! }
input CreatePostInput { clientMutationId: String post: PostInput! }
input UpdateUserInput { clientMutationId: String nodeId: ID! userPatch: UserPatch! }
input UpdateUserByIdInput { clientMutationId: String userPatch: UserPatch! id: Int! }
input DeleteUserInput { clientMutationId: String nodeId: ID! }
input DeleteUserByIdInput { clientMutationId: String id: Int! }
type CreateUserPayload { clientMutationId: String user: User query: Query userEdge: UsersEdge }
type CreatePostPayload { clientMutationId: String post: Post query: Query userByAuthorId: User }
type UpdateUserPayload { clientMutationId: String user: User query: Query userEdge: UsersEdge }
type DeleteUserPayload { clientMutationId: String user: User deletedUserId: ID query: Query }
type User implements Node { nodeId: ID! id: Int! email: String! name: String postsByAuthorId(first: Int): PostsConnection! }
type Post implements Node { nodeId: ID! id: Int! authorId: Int! title: String! userByAuthorId: User }
type UsersConnection { nodes: [User]! edges: [UsersEdge!]! totalCount: Int! }
type UsersEdge { cursor: Cursor node: User }
type PostsConnection { nodes: [Post]! edges: [PostsEdge!]! totalCount: Int! }
type PostsEdge { cursor: Cursor node: Post }
";

/// The thing first and the verb last, errors beside the thing.
pub(crate) const SALEOR: &str = r"
interface Node { id: ID! }
type Query {
  product(id: ID, slug: String): Product
  products(first: Int): ProductCountableConnection
  category(id: ID): Category
}
type Mutation {
  productTypeCreate(input: ProductTypeInput!): ProductTypeCreate
  categoryCreate(input: CategoryInput!, parent: ID): CategoryCreate
  productCreate(input: ProductCreateInput!): ProductCreate
  productUpdate(id: ID!, input: ProductInput!): ProductUpdate
  productDelete(id: ID!): ProductDelete
  productBulkDelete(ids: [ID!]!): ProductBulkDelete
}
input ProductTypeInput { name: String! }
input CategoryInput { name: String! slug: String }
input ProductCreateInput { category: ID! productType: ID! name: String! collections: [ID!] slug: String }
input ProductInput { category: ID name: String }
type ProductTypeCreate { productType: ProductType errors: [ProductError!]! }
type CategoryCreate { category: Category errors: [ProductError!]! }
type ProductCreate { product: Product errors: [ProductError!]! }
type ProductUpdate { product: Product errors: [ProductError!]! }
type ProductDelete { product: Product errors: [ProductError!]! }
type ProductBulkDelete { count: Int! errors: [ProductError!]! }
type ProductError { field: String message: String }
type ProductType implements Node { id: ID! name: String! }
type Category implements Node { id: ID! name: String! slug: String! parent: Category }
type Product implements Node { id: ID! name: String! slug: String! category: Category productType: ProductType! }
type ProductCountableConnection { edges: [ProductCountableEdge!]! totalCount: Int }
type ProductCountableEdge { node: Product! cursor: String! }
";

/// Parse's fields, pointers and relations.
pub(crate) const PARSE: &str = r"
interface Node { id: ID! }
type Query {
  book(id: ID!): Book!
  books(where: BookWhereInput, first: Int): BookConnection!
  author(id: ID!): Author!
}
type Mutation {
  createBook(input: CreateBookInput!): CreateBookPayload
  updateBook(input: UpdateBookInput!): UpdateBookPayload
  deleteBook(input: DeleteBookInput!): DeleteBookPayload
  createAuthor(input: CreateAuthorInput!): CreateAuthorPayload
}
input CreateBookInput { fields: CreateBookFieldsInput clientMutationId: String }
input UpdateBookInput { id: ID! fields: UpdateBookFieldsInput clientMutationId: String }
input DeleteBookInput { id: ID! clientMutationId: String }
input CreateAuthorInput { fields: CreateAuthorFieldsInput clientMutationId: String }
input CreateBookFieldsInput { title: String author: AuthorPointerInput tags: TagRelationInput }
input UpdateBookFieldsInput { title: String author: AuthorPointerInput }
input CreateAuthorFieldsInput { name: String }
input AuthorPointerInput { link: ID createAndLink: CreateAuthorFieldsInput }
input TagRelationInput { add: [ID!] remove: [ID!] createAndAdd: [CreateTagFieldsInput!] }
input CreateTagFieldsInput { id: ID label: String }
input BookWhereInput { objectId: IdWhereInput author: AuthorWhereInput OR: [BookWhereInput!] }
input AuthorWhereInput { objectId: IdWhereInput }
input IdWhereInput { equalTo: ID notEqualTo: ID lessThan: ID in: [ID!] notIn: [ID!] exists: Boolean }
type CreateBookPayload { book: Book! clientMutationId: String }
type UpdateBookPayload { book: Book! clientMutationId: String }
type DeleteBookPayload { book: Book! clientMutationId: String }
type CreateAuthorPayload { author: Author! clientMutationId: String }
type Book implements Node { id: ID! objectId: ID! title: String author: Author tags: TagConnection }
type Author implements Node { id: ID! objectId: ID! name: String }
type Tag implements Node { id: ID! objectId: ID! label: String }
type BookConnection { edges: [BookEdge] count: Int! }
type BookEdge { node: Book cursor: String! }
type TagConnection { edges: [TagEdge] count: Int! }
type TagEdge { node: Tag cursor: String! }
";

/// A database whose tables refer to each other by names: nothing here is an `ID`.
pub(crate) const FLAGS: &str = r"
scalar Datetime
type Query {
  project(id: String!): Project
  projects(first: Int): ProjectsConnection
  environment(name: String!): Environment
  feature(name: String!): Feature
  strategy(name: String!): Strategy
  clientApplication(appName: String!): ClientApplication
  user(id: Int!): User
  userByUsername(username: String!): User
  emailsSent(id: String!, type: String!): EmailsSent
  metric(appName: String!, environment: String!, at: Datetime!): Metric
  featureEnvironment(environment: String!, featureName: String!): FeatureEnvironment
}
type Mutation {
  createProject(input: CreateProjectInput!): CreateProjectPayload
  createEnvironment(input: CreateEnvironmentInput!): CreateEnvironmentPayload
  createFeature(input: CreateFeatureInput!): CreateFeaturePayload
  createStrategy(input: CreateStrategyInput!): CreateStrategyPayload
  createClientApplication(input: CreateClientApplicationInput!): CreateClientApplicationPayload
  createUser(input: CreateUserInput!): CreateUserPayload
  createEmailsSent(input: CreateEmailsSentInput!): CreateEmailsSentPayload
  createMetric(input: CreateMetricInput!): CreateMetricPayload
  createFeatureEnvironment(input: CreateFeatureEnvironmentInput!): CreateFeatureEnvironmentPayload
  createMilestoneStrategy(input: CreateMilestoneStrategyInput!): CreateMilestoneStrategyPayload
  updateFeatureEnvironment(input: UpdateFeatureEnvironmentInput!): CreateFeatureEnvironmentPayload
  deleteEmailsSent(input: DeleteEmailsSentInput!): CreateEmailsSentPayload
}
input CreateProjectInput { project: ProjectInput! }
input CreateEnvironmentInput { environment: EnvironmentInput! }
input CreateFeatureInput { feature: FeatureInput! }
input CreateStrategyInput { strategy: StrategyInput! }
input CreateClientApplicationInput { clientApplication: ClientApplicationInput! }
input CreateUserInput { user: UserInput! }
input CreateEmailsSentInput { emailsSent: EmailsSentInput! }
input CreateMetricInput { metric: MetricInput! }
input CreateFeatureEnvironmentInput { featureEnvironment: FeatureEnvironmentInput! }
input CreateMilestoneStrategyInput { milestoneStrategy: MilestoneStrategyInput! }
input UpdateFeatureEnvironmentInput { environment: String! featureName: String! patch: FeatureEnvironmentPatch! }
input DeleteEmailsSentInput { id: String! type: String! }
input ProjectInput { id: String! name: String! }
input EnvironmentInput { name: String! }
input FeatureInput { name: String! featureName: String! project: String! stage: Stage! user: String! }
input StrategyInput { name: String! }
input ClientApplicationInput { appName: String! }
input UserInput { username: String! invitedBy: Int }
input EmailsSentInput { id: String! type: String! }
input MetricInput { appName: String! environment: String! at: Datetime! username: String! author: Int! }
input FeatureEnvironmentInput { environment: String! featureName: String! enabled: Boolean! }
input FeatureEnvironmentPatch { environment: String enabled: Boolean }
input MilestoneStrategyInput { strategyName: String! ruleTitle: String! }
type CreateProjectPayload { project: Project }
type CreateEnvironmentPayload { environment: Environment }
type CreateFeaturePayload { feature: Feature }
type CreateStrategyPayload { strategy: Strategy }
type CreateClientApplicationPayload { clientApplication: ClientApplication }
type CreateUserPayload { user: User }
type CreateEmailsSentPayload { emailsSent: EmailsSent }
type CreateMetricPayload { metric: Metric }
type CreateFeatureEnvironmentPayload { featureEnvironment: FeatureEnvironment }
type CreateMilestoneStrategyPayload { milestoneStrategy: MilestoneStrategy }
enum Stage { NEW OLD }
type Project { nodeId: ID! id: String! name: String! }
type Environment { nodeId: ID! name: String! }
type Feature { nodeId: ID! name: String! project: String! }
type Strategy { nodeId: ID! name: String! }
type ClientApplication { nodeId: ID! appName: String! }
type User { nodeId: ID! id: Int! username: String! }
type EmailsSent { nodeId: ID! id: String! type: String! }
type Metric { nodeId: ID! appName: String! environment: String! at: Datetime! }
type FeatureEnvironment { nodeId: ID! environment: String! featureName: String! enabled: Boolean! }
type MilestoneStrategy { nodeId: ID! strategyName: String! }
type ProjectsConnection { nodes: [Project]! edges: [ProjectsEdge!]! }
type ProjectsEdge { node: Project }
";
